public import Foundation

/// The body of a stored answer, which is read in parts while it is served.
public struct HTTPCacheBody: Sendable {
    /// The number of bytes.
    public let count: Int

    private let read: @Sendable (_ offset: Int, _ count: Int) -> Data?

    /// Makes a body of bytes in memory.
    public init(_ data: Data = Data()) {
        // A part begins at index zero, as what comes from a connection does.
        self.init(count: data.count) { offset, count in
            count == data.count ? data : Data(data.dropFirst(offset).prefix(count))
        }
    }

    /// Makes a body of bytes that are somewhere else.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - read: Gives `count` bytes from an offset on, or `nil` where they cannot be had any more; may block.
    public init(count: Int, read: @escaping @Sendable (_ offset: Int, _ count: Int) -> Data?) {
        self.count = count
        self.read = read
    }

    /// At most `count` bytes from `offset` on, fewer only at the end; `nil` where they cannot be had any more.
    public func bytes(at offset: Int, count wanted: Int) -> Data? {
        let present = max(0, min(wanted, count - offset))
        guard present > 0 else { return Data() }
        guard let data = read(offset, present), data.count == present else { return nil }
        return data
    }
}
