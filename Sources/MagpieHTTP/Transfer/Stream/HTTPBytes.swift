public import Foundation

/// The bytes of a body that is read as it comes, one by one.
public struct HTTPBytes<Base: AsyncSequence>: AsyncSequence where Base.Element == Data, Base.Failure == HTTPError {
    /// A byte.
    public typealias Element = UInt8

    private let base: Base

    init(_ base: Base) { self.base = base }

    /// Reads the bytes in order.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate var chunk = Data().makeIterator()

        /// The next byte, or `nil` after the last; waits only where the next chunk has not come yet.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(HTTPError) -> UInt8? {
            while true {
                if let byte = chunk.next() { return byte }
                guard let next = try await base.next(isolation: actor) else { return nil }
                chunk = next.makeIterator()
            }
        }

        /// The next byte, or `nil` after the last.
        public mutating func next() async throws(HTTPError) -> UInt8? { try await next(isolation: nil) }
    }

    /// Starts to read.
    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }
}

extension HTTPBytes: Sendable where Base: Sendable {}
