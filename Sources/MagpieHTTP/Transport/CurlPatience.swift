/// The idle and the total time-out of one exchange, in nanoseconds of the loop's clock.
///
/// libcurl's own limits count in whole seconds or do not say which of them passed.
struct CurlPatience {
    private var timeouts = HTTPTimeouts()
    private var totalDeadline = Int64.max
    private var idleLimit = Int64.max
    private var lastActivity: Int64 = 0
    private var isConnected = false

    /// No limits.
    init() {}

    /// The limits of an exchange that starts `now`.
    init(_ timeouts: HTTPTimeouts, now: Int64) {
        self.timeouts = timeouts
        lastActivity = now
        if let idle = timeouts.idle { idleLimit = idle.nanoseconds }
        if let total = timeouts.total { totalDeadline = Self.sum(now, total.nanoseconds) }
    }

    /// The connection stands; the idle limit counts from now on.
    mutating func connected(at now: Int64) {
        isConnected = true
        lastActivity = now
    }

    /// Bytes have come or gone.
    mutating func noteActivity(at now: Int64) { lastActivity = now }

    /// When to look again.
    func deadline(isPaused: Bool) -> Int64 {
        guard isConnected, !isPaused else { return totalDeadline }
        return min(totalDeadline, Self.sum(lastActivity, idleLimit))
    }

    /// The error where a limit has passed.
    func overdue(at now: Int64, isPaused: Bool) -> HTTPError? {
        if totalDeadline <= now, let total = timeouts.total { return .timedOut(stage: .total, after: total) }
        guard isConnected, !isPaused, let idle = timeouts.idle else { return nil }
        return Self.sum(lastActivity, idleLimit) <= now ? .timedOut(stage: .idle, after: idle) : nil
    }

    private static func sum(_ time: Int64, _ limit: Int64) -> Int64 {
        let (sum, overflow) = time.addingReportingOverflow(limit)
        return overflow ? .max : sum
    }
}

extension Duration {
    /// The whole nanoseconds, clamped to what an `Int64` holds.
    var nanoseconds: Int64 {
        let (whole, overflow) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return components.seconds < 0 ? .min : .max }
        let (sum, carry) = whole.addingReportingOverflow(components.attoseconds / 1_000_000_000)
        return carry ? .max : sum
    }
}
