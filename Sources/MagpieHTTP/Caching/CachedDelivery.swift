import Foundation

/// A stored body on its way to a delegate: in parts, held back and resumed as the delegate wants.
struct CachedDelivery {
    /// What the delegate is told at the end.
    let metrics: HTTPTaskMetrics

    private(set) var isPaused = false

    private let body: HTTPCacheBody
    private var offset = 0
    /// The delegate went on before its pause was known here.
    private var isResumedEarly = false

    /// As much as comes from a connection at once.
    private static let chunkSize = 64 * 1024

    init(body: HTTPCacheBody, metrics: HTTPTaskMetrics) {
        self.body = body
        self.metrics = metrics
    }

    /// Gives the function that reads the next part, which may block, or `nil` after the last.
    mutating func next() -> (() -> Result<Data, HTTPError>)? {
        guard offset < body.count else { return nil }
        isResumedEarly = false
        defer { offset += Self.chunkSize }
        return { [body, offset] in
            guard let chunk = body.bytes(at: offset, count: Self.chunkSize) else {
                return .failure(.bodyTooShort(received: Int64(offset), expected: Int64(body.count)))
            }
            return .success(chunk)
        }
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
