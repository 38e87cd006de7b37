import MagpieConcurrency

/// Several caches used as one; the last added has the highest priority.
///
/// Safe to use from any thread. A manager without caches finds and keeps nothing.
public final class ImageCachesManager: ImageCaching {
    /// Which caches an operation goes to.
    public enum Policy: Sendable, Hashable {
        /// One after the other, the highest first; a question is answered by the first that knows.
        case serial
        /// All at once; a question is answered by the first that knows, in time.
        case concurrent
        /// The highest alone.
        case highestOnly
        /// The lowest alone.
        case lowestOnly
    }

    /// The policies of a manager.
    public struct Policies: Sendable, Hashable {
        /// Which caches are asked for a picture.
        public var query = Policy.serial
        /// Which caches keep one.
        public var store = Policy.highestOnly
        /// Which caches forget one.
        public var remove = Policy.concurrent
        /// Which caches are asked whether they hold one.
        public var contains = Policy.serial
        /// Which caches forget all.
        public var clear = Policy.concurrent

        /// The usual policies.
        public init() {}
    }

    private struct State {
        var caches: [any ImageCaching]
        var policies: Policies
    }

    private let state: Lock<State>

    /// A manager of these caches, the lowest priority first.
    public init(_ caches: [any ImageCaching] = [ImageCache.shared], policies: Policies = Policies()) {
        state = Lock(State(caches: caches, policies: policies))
    }

    /// The caches, the lowest priority first.
    public var caches: [any ImageCaching] {
        get { state.withLock { $0.caches } }
        set { state.withLock { $0.caches = newValue } }
    }

    /// Which caches an operation goes to.
    public var policies: Policies {
        get { state.withLock { $0.policies } }
        set { state.withLock { $0.policies = newValue } }
    }

    /// Adds a cache above all others; one that is there already is not added again.
    public func add(_ cache: any ImageCaching) {
        state.withLock { state in
            if !state.caches.contains(where: { $0 === cache }) { state.caches.append(cache) }
        }
    }

    /// Takes a cache out.
    public func remove(_ cache: any ImageCaching) {
        state.withLock { state in state.caches.removeAll { $0 === cache } }
    }

    // MARK: - Operations

    /// Looks for a picture in the caches that the policy means; nil when none has an image.
    public func query(
        _ key: ImageCacheKey,
        in types: ImageCacheTypes = .all,
        options: ImageCacheOptions = []
    ) async -> ImageCacheResult? {
        await first(policies.query) { cache in
            // Bytes that nobody can read are no answer while another cache may have a picture.
            await cache.query(key, in: types, options: options).flatMap { $0.image == nil ? nil : $0 }
        }
    }

    /// Keeps a picture; returns when it is where it was to be kept, or could not be.
    public func store(
        _ image: WebImage?,
        data: CachedData? = nil,
        for key: ImageCacheKey,
        in types: ImageCacheTypes = .all
    ) async {
        await all(policies.store) { await $0.store(image, data: data, for: key, in: types) }
    }

    /// Which part holds a picture, memory before disk; empty when none does.
    public func contains(_ key: ImageCacheKey, in types: ImageCacheTypes = .all) async -> ImageCacheTypes {
        await first(policies.contains) { cache in
            let found = await cache.contains(key, in: types)
            return found.isEmpty ? nil : found
        } ?? []
    }

    /// Forgets a picture.
    public func remove(_ key: ImageCacheKey, from types: ImageCacheTypes = .all) async {
        await all(policies.remove) { await $0.remove(key, from: types) }
    }

    /// Forgets all pictures.
    public func clear(_ types: ImageCacheTypes = .all) async {
        await all(policies.clear) { await $0.clear(types) }
    }

    // MARK: - Policies

    /// The caches that a policy means, the highest first.
    private func caches(_ policy: Policy) -> [any ImageCaching] {
        let caches = caches
        switch policy {
        case .serial, .concurrent: return caches.reversed()
        case .highestOnly: return Array(caches.suffix(1))
        case .lowestOnly: return Array(caches.prefix(1))
        }
    }

    private func first<Answer: Sendable>(
        _ policy: Policy,
        _ ask: @escaping @Sendable (any ImageCaching) async -> Answer?
    ) async -> Answer? {
        let caches = caches(policy)
        guard policy == .concurrent else {
            for cache in caches {
                if let answer = await ask(cache) { return answer }
            }
            return nil
        }
        // Not a group of tasks, which would wait for the slowest cache after the first has answered.
        let (answers, sink) = AsyncStream.makeStream(of: Answer?.self)
        let tasks = caches.map { cache in Task { sink.yield(await ask(cache)) } }
        defer { tasks.forEach { $0.cancel() } }
        for await answer in answers.prefix(tasks.count) where answer != nil { return answer }
        return nil
    }

    private func all(_ policy: Policy, _ act: @escaping @Sendable (any ImageCaching) async -> Void) async {
        let caches = caches(policy)
        guard policy == .concurrent else {
            for cache in caches { await act(cache) }
            return
        }
        await withTaskGroup(of: Void.self) { group in
            for cache in caches { group.addTask { await act(cache) } }
        }
    }
}
