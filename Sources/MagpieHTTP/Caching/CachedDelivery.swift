import Foundation

/// A stored body on its way to a delegate: in parts, held back and resumed as the delegate wants.
struct CachedDelivery {
    /// What the delegate is told at the end.
    let metrics: HTTPTaskMetrics

    private(set) var isPaused = false

    private var rest: Data
    /// The delegate went on before its pause was known here.
    private var isResumedEarly = false

    /// As much as comes from a connection at once.
    private static let chunkSize = 64 * 1024

    init(body: Data, metrics: HTTPTaskMetrics) {
        rest = body
        self.metrics = metrics
    }

    /// The next part, without a copy of its bytes, or `nil` after the last.
    mutating func next() -> Data? {
        guard !rest.isEmpty else { return nil }
        isResumedEarly = false
        defer { rest = rest.dropFirst(Self.chunkSize) }
        return rest.prefix(Self.chunkSize)
    }

    /// Holds back what follows; false where the delegate has taken that back already.
    mutating func pause() -> Bool {
        isPaused = !isResumedEarly
        return isPaused
    }

    /// Goes on; false where nothing is held back.
    mutating func resume() -> Bool {
        isResumedEarly = true
        defer { isPaused = false }
        return isPaused
    }
}
