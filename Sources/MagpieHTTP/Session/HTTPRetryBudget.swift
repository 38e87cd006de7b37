import MagpieConcurrency

/// How many repetitions there may be beside the requests that are made: a bucket of tokens.
///
/// Each request that is sent puts a part of a token into the bucket, each repetition takes a whole one. A service in trouble then gets
/// at most that part more than its usual load, and not several times of it.
public final class HTTPRetryBudget: Sendable {
    /// What each request that is sent puts into the bucket.
    public let ratio: Double

    /// How many tokens the bucket holds, and begins with.
    public let capacity: Double

    private let tokens: Lock<Double>

    /// Makes a full bucket.
    ///
    /// - Parameters:
    ///   - ratio: How many repetitions there may be for each request in the long run, such as 0.1 for a tenth.
    ///   - capacity: How many repetitions there may be in a row beyond that; at least 1.
    public init(ratio: Double = 0.1, capacity: Int = 20) {
        self.ratio = max(0, ratio)
        self.capacity = Double(max(1, capacity))
        tokens = Lock(self.capacity)
    }

    /// Counts a request, or a repetition.
    func deposit() { tokens.withLock { $0 = min(capacity, $0 + ratio) } }

    /// Takes a repetition; false where there is none left.
    func take() -> Bool {
        tokens.withLock { tokens in
            // Tenths do not add up to a whole exactly.
            guard tokens > 1 - 1e-9 else { return false }
            tokens = max(0, tokens - 1)
            return true
        }
    }
}
