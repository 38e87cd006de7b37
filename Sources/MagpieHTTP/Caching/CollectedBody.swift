import Foundation

/// The body of an answer as it passes by on its way to the caller, to be stored when all of it has come.
struct CollectedBody {
    private var chunks: [Data] = []
    private var count = 0
    private let limit: Int

    /// - Parameter limit: The longest body to keep, in bytes.
    init(limit: Int) { self.limit = limit }

    /// Adds a chunk; false where the body is too long to be kept.
    mutating func append(_ chunk: Data) -> Bool {
        count += chunk.count
        guard count <= limit else { return false }
        chunks.append(chunk)
        return true
    }

    /// The whole body.
    var data: Data {
        if chunks.count == 1 { return chunks[0] }
        var data = Data(capacity: count)
        for chunk in chunks { data.append(chunk) }
        return data
    }
}
