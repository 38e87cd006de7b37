/// How much of a body has arrived.
public struct HTTPProgress: Sendable, Hashable {
    /// The bytes received so far, after decoding.
    public var received: Int64

    /// The bytes to come in all, or `nil` where the server did not say or the body arrives compressed.
    public var expected: Int64?

    /// Makes a progress value.
    public init(received: Int64 = 0, expected: Int64? = nil) {
        self.received = received
        self.expected = expected
    }

    /// The part received, from 0 to 1, or `nil` where the whole is not known.
    public var fraction: Double? {
        guard let expected else { return nil }
        return expected <= 0 ? 1 : min(1, Double(received) / Double(expected))
    }
}
