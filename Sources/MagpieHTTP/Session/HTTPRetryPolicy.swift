import Foundation

/// When and how often a failed request is sent again.
///
/// Waits grow exponentially and are drawn at random from zero to the limit of each ("full jitter"), so that clients that
/// failed together do not come back together. What a server asks for with `Retry-After` (RFC 9110 §10.2.3) is waited at
/// least. A budget keeps a server in trouble from getting many times its usual load.
public struct HTTPRetryPolicy: Sendable {
    /// How often a request is sent again at most.
    public var limit: Int

    /// The limit of the first wait; that of each further one is twice as long.
    public var base: Duration

    /// The longest wait, apart from one that a server asks for.
    public var cap: Duration

    /// Which methods are repeated; those that may be sent twice without harm by default (RFC 9110 §9.2.2).
    public var methods: Set<HTTPRequest.Method> = [.get, .head, .put, .delete, .options, .trace]

    /// Which statuses are worth another try.
    ///
    /// 408: the server waited for the request in vain; 429: too many requests for now; 500, 502, 503, 504: the server, or
    /// one behind it, is out of order, which may pass.
    public var statusCodes: Set<Int> = [408, 429, 500, 502, 503, 504]

    /// How many repetitions there may be for the requests that are made.
    public var budget: HTTPRetryBudget

    /// Draws a number from 0 to 1.
    var random: @Sendable () -> Double = { .random(in: 0...1) }

    /// The time of day, to which a date in `Retry-After` is compared.
    var now: @Sendable () -> Date = { Date() }

    /// Waits that grow from `base` to `cap`.
    ///
    /// - Parameters:
    ///   - limit: How often a request is sent again at most.
    ///   - base: The limit of the first wait; that of each further one is twice as long.
    ///   - cap: The longest wait, apart from one that a server asks for.
    ///   - budget: How many repetitions there may be; requests that share one share its limit.
    public static func exponential(
        limit: Int = 3,
        base: Duration = .milliseconds(500),
        cap: Duration = .seconds(30),
        budget: HTTPRetryBudget = HTTPRetryBudget()
    ) -> Self {
        Self(limit: max(0, limit), base: base, cap: cap, budget: budget)
    }

    /// The decision on one failure; takes from the budget where it is another try.
    func decision(on attempt: HTTPAttempt) -> HTTPRetryDecision {
        guard attempt.retryCount < limit, methods.contains(attempt.request.method), mayPass(attempt) else {
            return .doNotRetry
        }
        var delay = jitteredDelay(retryCount: attempt.retryCount)
        if let wanted = attempt.response.flatMap({ RetryAfter.delay(of: $0, now: now()) }) {
            delay = max(delay, wanted)
        }
        if let left = attempt.timeLeft, delay >= left { return .doNotRetry }
        return budget.take() ? .retry(after: delay) : .doNotRetry
    }

    private func mayPass(_ attempt: HTTPAttempt) -> Bool {
        if let response = attempt.response { return statusCodes.contains(response.status.code) }
        return attempt.error?.mayPass ?? false
    }

    private func jitteredDelay(retryCount: Int) -> Duration {
        let longest = min(cap, base * pow(2, Double(min(retryCount, 60))))
        return longest * min(1, max(0, random()))
    }
}

extension HTTPError {
    /// Whether the same request may succeed a moment later.
    var mayPass: Bool {
        switch self {
        // Networks, servers and their doors come back.
        case .unknownHost, .connectionRefused, .cannotConnect, .connectionLost, .bodyTooShort, .tooManyOpenFiles: true
        // Another server of the same name may answer in time; of the whole task's patience there is nothing left.
        case .timedOut(let stage, _): stage != .total
        // Client and server have no version or cipher in common, which does not change.
        case .secureConnectionFailed: false
        // The caller's own will, or mistake: the same comes out again.
        case .cancelled, .sessionInvalidated, .invalidURL, .unsupportedScheme, .unsupportedFeature,
            .unreadableCertificateFile, .unreadableBody, .unserializableRequest, .cannotWriteFile, .cookieFile:
            false
        // Trust is not gained by asking again.
        case .untrustedCertificate, .clientCertificateRefused, .pinnedHostWithoutTLS, .proxyFailed,
            .proxyAuthenticationRequired:
            false
        // The server means what it says, or says what cannot be understood.
        case .tooManyRedirects, .badRedirect, .responseTooLarge, .headerTooLarge, .tooManyHeaderFields,
            .undecodableBody, .malformedResponse, .unacceptableStatus, .unacceptableContentType, .undecodableContent,
            .contentMismatch, .lineTooLong, .notInCache:
            false
        // What it was is not known, so neither is whether it passes.
        case .transport: false
        }
    }
}
