package import Foundation

/// A body that is put together in memory from the chunks in which it comes.
package struct BodyBuffer {
    /// What has come so far.
    package private(set) var data = Data()

    private var isReserved = false

    /// The most that is set aside because a server announced it; a longer body grows as it comes.
    private static let maximumReservation: Int64 = 64 << 20

    /// An empty body.
    package init() {}

    /// Adds a chunk.
    ///
    /// - Parameter expected: The announced length of the whole body, if there is one.
    package mutating func append(_ chunk: Data, expected: Int64?) {
        // Most small bodies come in one chunk, which is then kept as it is.
        guard !data.isEmpty else { return data = chunk }
        if !isReserved, let expected, expected > data.count {
            isReserved = true
            data.reserveCapacity(Int(min(expected, Self.maximumReservation)))
        }
        data.append(chunk)
    }
}
