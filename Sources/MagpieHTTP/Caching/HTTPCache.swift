public import Foundation
import MagpieConcurrency

/// A private cache of answers (RFC 9111), for one session or shared by several: `HTTPSession.Configuration.cache`.
///
/// Answers to GET are stored as their `Cache-Control`, `Expires` and `Last-Modified` say and served to GET and HEAD; stale
/// ones are validated with `ETag` and `Last-Modified`, once for all who wait. Parts (206) and bodies that broke off are
/// never stored. Unsafe requests remove what is stored for their address. Requests for what is not stored are each sent:
/// whether one answer will do for several is known only once its head has come. All of it may be used from any thread; the
/// storage is used on threads of the cache's own.
public final class HTTPCache: Sendable {
    /// Whether the answer to a request may be stored, where HTTP allows it; called on a thread of a transport.
    public typealias StorePolicy = @Sendable (HTTPRequest, HTTPResponse) -> Bool

    /// For how long a stale answer is given where the server fails and neither side has said so, in seconds.
    ///
    /// Zero gives none; `must-revalidate` and `no-cache` are heeded in any case.
    public let staleIfError: TimeInterval

    /// The time: the clock, or a test's.
    let now: @Sendable () -> Date

    /// The longest body that can be stored, in bytes.
    let maximumBodySize: Int

    let validations = HTTPCacheValidations()
    let invalidations = HTTPCacheInvalidations()

    private let storage: any HTTPCacheStorage
    private let shouldStore: StorePolicy?
    private let counts = Lock(Statistics())

    /// One thread each: what concerns one address happens in order, and addresses do not wait for each other.
    private let lanes: [WorkerPool]
    private static let laneCount = 4

    /// Makes a cache.
    ///
    /// - Parameters:
    ///   - storage: Where the answers are kept; in memory if nothing else is given.
    ///   - staleIfError: For how long a stale answer is given where the server fails, in seconds.
    ///   - shouldStore: Is asked before an answer is stored; `nil` stores whatever HTTP allows.
    ///   - now: Tells the time.
    public init(
        storage: any HTTPCacheStorage = MemoryHTTPCacheStorage(),
        staleIfError: TimeInterval = 0,
        shouldStore: StorePolicy? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.storage = storage
        maximumBodySize = storage.maximumBodySize
        self.staleIfError = staleIfError
        self.now = now
        self.shouldStore = shouldStore
        lanes = (0..<Self.laneCount).map { WorkerPool(name: "HTTP cache \($0)", width: 1) }
    }

    /// How often the cache could help, since it was made.
    public struct Statistics: Sendable, Hashable {
        /// Answers that were served fresh.
        public var hits = 0
        /// Answers that were served although they were stale.
        public var staleHits = 0
        /// Answers that were served after the server had said that they still hold.
        public var revalidations = 0
        /// Requests that waited for the server's word to another on the same answer.
        public var joined = 0
        /// Requests that the server had to answer.
        public var misses = 0
    }

    /// How often the cache could help.
    public var statistics: Statistics { counts.withLock { $0 } }

    /// How many entries are stored, and their size in bytes.
    public func usage() async -> HTTPCacheUsage {
        await lane(0).perform { [storage] in storage.usage }
    }

    /// Removes what is stored for the address, for all its variants.
    public func remove(_ url: URL) async {
        let key = HTTPCacheKey(url: url)
        invalidations.add(key.address)
        await lane(key.lane).perform { self.removeEntries(for: key) }
    }

    /// Removes all entries.
    public func removeAll() async {
        invalidations.addAll()
        // In each lane, so that what was waiting to be stored does not outlive it.
        for lane in lanes { await lane.perform { [storage] in storage.removeAll() } }
    }

    func count(_ counter: any WritableKeyPath<Statistics, Int> & Sendable) {
        counts.withLock { $0[keyPath: counter] += 1 }
    }

    /// Runs work that concerns the key after what was asked for before; the storage is only to be used in it.
    func run(for key: HTTPCacheKey, _ work: @escaping @Sendable () -> Void) {
        lane(key.lane).run(work)
    }

    private func lane(_ number: Int) -> WorkerPool { lanes[number % lanes.count] }
}

// MARK: - In a lane

extension HTTPCache {
    /// An entry, and the key under which it is stored.
    struct Match {
        let storageKey: String
        let entry: HTTPCacheEntry
    }

    /// What is stored for the request.
    func match(for request: HTTPRequest, _ key: HTTPCacheKey) -> Match? {
        guard let entry = storage.entry(for: key.text) else { return nil }
        guard let variants = entry.head.variants else { return Match(storageKey: key.text, entry: entry) }
        let variantKey = key.variant(HTTPCacheRules.variantKey(variants, of: request))
        return storage.entry(for: variantKey).map { Match(storageKey: variantKey, entry: $0) }
    }

    func allowsStoring(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
        HTTPCacheRules.isStorable(response, to: request) && shouldStore?(request, response) != false
    }

    /// Where an answer is being stored.
    struct Place {
        let writer: any HTTPCacheWriter
        /// The key of the entry that tells the variants apart, and how, where there is no such entry yet.
        let marker: (key: String, variants: HTTPCacheEntry.Variants)?
    }

    /// Begins to store the answer to the request, as the variant that `Vary` makes it.
    func place(for head: HTTPCacheEntry.Head, of request: HTTPRequest, _ key: HTTPCacheKey) -> Place? {
        let names = HTTPCacheRules.variantFieldNames(head.response, to: request)
        guard !names.isEmpty else { return storage.makeWriter(for: key.text).map { Place(writer: $0, marker: nil) } }
        let known = storage.entry(for: key.text)?.head.variants
        let isKnown = known?.fieldNames == names
        let new = HTTPCacheEntry.Variants(fieldNames: names, generation: UUID().uuidString)
        let variants = isKnown ? known ?? new : new
        return storage.makeWriter(for: key.variant(HTTPCacheRules.variantKey(variants, of: request))).map {
            Place(writer: $0, marker: isKnown ? nil : (key.text, variants))
        }
    }

    /// Ends storing an answer whose whole body has come.
    func commit(_ head: HTTPCacheEntry.Head, to place: Place) {
        var head = head
        head.response.headerFields = HTTPCacheRules.storableFields(head.response.headerFields)
        place.writer.commit(head)
        guard let (key, variants) = place.marker else { return }
        head.variants = variants
        storage.makeWriter(for: key)?.commit(head)
    }

    /// Replaces the head of what was found, unless something else is stored in its place by now.
    func replaceHead(_ head: HTTPCacheEntry.Head, of match: Match) {
        storage.replaceHead(match.entry.head, with: head, for: match.storageKey)
    }

    /// Removes what was found, unless something else is stored in its place by now.
    func removeMatch(_ match: Match) {
        guard storage.entry(for: match.storageKey)?.head == match.entry.head else { return }
        storage.removeEntry(for: match.storageKey)
    }

    /// Removes the entries of the address; variants are no longer found without the entry that names them.
    func removeEntries(for key: HTTPCacheKey) {
        for key in key.allForms { storage.removeEntry(for: key) }
    }

    /// Removes what an unsafe request may have changed (RFC 9111 §4.4).
    func invalidate(after response: HTTPResponse, to request: HTTPRequest) {
        guard 200...399 ~= response.status.code else { return }
        var urls = [request.url]
        for name in [HTTPField.Name.location, .contentLocation] {
            guard let text = response.headerFields[values: name].first,
                let url = URL(string: text, relativeTo: request.url)?.absoluteURL,
                url.scheme == request.url.scheme, url.host() == request.url.host(), url.port == request.url.port
            else { continue }
            urls.append(url)
        }
        for url in urls {
            let key = HTTPCacheKey(url: url)
            invalidations.add(key.address)
            run(for: key) { self.removeEntries(for: key) }
        }
    }
}
