/// How much of a body has been transferred, in either direction.
public struct HTTPProgress: Sendable, Hashable {
    /// The bytes so far: of a body that arrives those received, after decoding, and of one that is sent those sent.
    public var completed: Int64

    /// The bytes in all, or `nil` where that is not known yet.
    ///
    /// Not known before the end where the server did not say, or where the body arrives compressed.
    public var expected: Int64?

    /// Makes a progress value.
    public init(completed: Int64 = 0, expected: Int64? = nil) {
        self.completed = completed
        self.expected = expected
    }

    /// The part transferred, from 0 to 1, or `nil` where the whole is not known.
    public var fraction: Double? {
        guard let expected else { return nil }
        return expected <= 0 ? 1 : min(1, Double(completed) / Double(expected))
    }

    /// Whether all has been transferred, so that `fraction` is 1.
    public var isComplete: Bool { expected.map { completed >= $0 } ?? false }
}
