import Foundation

/// An answer of which is not decided yet whether it is handed over, or another exchange takes its place.
struct HeldAnswer {
    /// The head, where one came and was not handed over before.
    let response: HTTPResponse?

    /// How the exchange ended, once it has.
    var end: Result<HTTPTaskMetrics, HTTPError>?

    /// It is handed over.
    private(set) var isDecided = false

    /// A thread is handing it over at the moment.
    var isFlushing = false

    /// How much of the body waits, in bytes.
    private(set) var byteCount = 0

    private var chunks: [Data] = []
    private var firstWaiting = 0

    init(response: HTTPResponse?, end: Result<HTTPTaskMetrics, HTTPError>? = nil) {
        self.response = response
        self.end = end
    }

    /// Adds a part of the body.
    mutating func append(_ chunk: Data) {
        chunks.append(chunk)
        byteCount += chunk.count
    }

    /// Takes the next part of the body.
    mutating func takeChunk() -> Data? {
        guard firstWaiting < chunks.count else { return nil }
        defer { firstWaiting += 1 }
        byteCount -= chunks[firstWaiting].count
        return chunks[firstWaiting]
    }

    /// Notes that it is to be handed over, by the caller.
    mutating func deliver() {
        isDecided = true
        isFlushing = true
    }
}
