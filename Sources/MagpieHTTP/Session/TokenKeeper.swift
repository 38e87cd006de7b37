import MagpieConcurrency

/// The tokens of a store as they were seen, and the one refresh that may be on its way.
final class TokenKeeper: Sendable {
    private struct State {
        /// The last tokens, the current one at the end.
        var seen: [String] = []
        var refresh: Task<String?, Never>?
        var refreshTimes: [ContinuousClock.Instant] = []
    }

    /// What follows a refusal.
    private enum Answer {
        case tryAgain
        case giveUp
        case wait(Task<String?, Never>)
    }

    /// How many refreshes there may be within `window`.
    private static let maximumRefreshes = 5
    private static let window = Duration.seconds(30)
    /// How many tokens are known by sight; a request may be refused after its token was replaced more than once.
    private static let memory = 8

    let store: any HTTPTokenStore
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Lock(State())

    init(store: any HTTPTokenStore, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.store = store
        self.now = now
    }

    /// The token to send: that of a refresh where one is on its way.
    func token() async throws(HTTPError) -> String? {
        if let refresh = state.withLock({ $0.refresh }), let token = await refresh.value { return token }
        let token = try await store.token()
        if let token { state.withLock { Self.note(token, in: &$0) } }
        return token
    }

    /// Whether there is another token by now than the one that this request was refused with.
    func hasReplacement(after request: HTTPRequest) async -> Bool {
        let seen = state.withLock { $0.seen }
        guard let stale = seen.last(where: { isSent($0, with: request) }) else { return false }
        let answer = state.withLock { state -> Answer in
            if let refresh = state.refresh { return .wait(refresh) }
            guard state.seen.last == stale else { return .tryAgain }
            let start = now()
            state.refreshTimes.removeAll { start - $0 >= Self.window }
            guard state.refreshTimes.count < Self.maximumRefreshes else { return .giveUp }
            state.refreshTimes.append(start)
            let refresh = Task { await replace(stale) }
            state.refresh = refresh
            return .wait(refresh)
        }
        switch answer {
        case .tryAgain: return true
        case .giveUp: return false
        case .wait(let refresh): return await refresh.value != nil
        }
    }

    /// The new token, or nothing where there is none to be had.
    private func replace(_ stale: String) async -> String? {
        // Another program may have replaced it already.
        var token = try? await store.token()
        if token == nil || token == stale { token = try? await store.refresh(stale) }
        state.withLock { state in
            if let token { Self.note(token, in: &state) }
            state.refresh = nil
        }
        return token
    }

    /// Whether the request would be the same with this token.
    private func isSent(_ token: String, with request: HTTPRequest) -> Bool {
        var copy = request
        store.authorize(&copy, with: token)
        return copy == request
    }

    private static func note(_ token: String, in state: inout State) {
        guard state.seen.last != token else { return }
        state.seen.removeAll { $0 == token }
        state.seen.append(token)
        if state.seen.count > memory { state.seen.removeFirst() }
    }
}
