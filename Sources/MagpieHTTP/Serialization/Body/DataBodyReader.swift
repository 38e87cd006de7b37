import Foundation

/// Reads content that is in memory.
///
/// `@unchecked Sendable`: a reader is called on one thread at a time.
final class DataBodyReader: HTTPBodyReader, @unchecked Sendable {
    private var rest: Data

    init(_ data: Data) { rest = data }

    func open(onReady: @escaping @Sendable () -> Void) {}

    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPBodyRead {
        guard !rest.isEmpty else { return .end }
        let count = rest.copyBytes(to: buffer)
        rest = rest.dropFirst(count)
        return .bytes(count)
    }

    func close() { rest = Data() }
}
