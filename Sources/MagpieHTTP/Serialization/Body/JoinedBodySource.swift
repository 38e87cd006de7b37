import Foundation
import MagpieConcurrency

/// Contents one behind the other; each is begun when its turn comes.
final class JoinedBodySource: HTTPBodySource {
    let count: Int64?
    let isRepeatable: Bool

    private let parts: [HTTPRequestBody]
    private let wasRead = Lock(false)

    init(_ parts: [HTTPRequestBody]) {
        self.parts = parts
        isRepeatable = parts.allSatisfy(\.isRepeatable)
        count = parts.reduce(Int64?(0)) { sum, part in
            guard let sum, let count = part.count else { return nil }
            let (total, isTooLarge) = sum.addingReportingOverflow(count)
            return isTooLarge ? nil : total
        }
    }

    func makeReader() throws(HTTPError) -> any HTTPBodyReader {
        let isSecond = wasRead.withLock { wasRead in
            defer { wasRead = true }
            return wasRead
        }
        guard isRepeatable || !isSecond else { throw .unreadableBody(reason: "a stream can be sent once only") }
        return JoinedBodyReader(parts)
    }
}

/// Reads contents one behind the other and sees to it that each brings as much as it promised.
///
/// `@unchecked Sendable`: a reader is called on one thread at a time.
private final class JoinedBodyReader: HTTPBodyReader, @unchecked Sendable {
    private var parts: ArraySlice<HTTPRequestBody>
    private var reader: (any HTTPBodyReader)?
    private var readCount: Int64 = 0
    private var failure: HTTPError?
    private var onReady: (@Sendable () -> Void)?

    init(_ parts: [HTTPRequestBody]) { self.parts = parts[...] }

    func open(onReady: @escaping @Sendable () -> Void) { self.onReady = onReady }

    func close() {
        reader?.close()
        reader = nil
        parts = []
        onReady = nil
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPBodyRead {
        var copied = 0
        while copied < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[copied...])
            switch readPart(into: rest) {
            case .bytes(let count): copied += count
            case .wait: return copied > 0 ? .bytes(copied) : .wait
            case .end:
                if parts.isEmpty { return copied > 0 ? .bytes(copied) : .end }
            case .failed(let error):
                failure = error
                return copied > 0 ? .bytes(copied) : .failed(error)
            }
        }
        return .bytes(copied)
    }

    /// Reads from the part whose turn it is; `end` where it ended or none is left.
    private func readPart(into buffer: UnsafeMutableRawBufferPointer) -> HTTPBodyRead {
        if let failure { return .failed(failure) }
        guard let part = parts.first else { return .end }
        do throws(HTTPError) {
            let reader = try openReader(of: part)
            switch reader.readPlausibly(into: buffer) {
            case .bytes(let count):
                readCount += Int64(count)
                if let promised = part.count, readCount > promised {
                    throw .unreadableBody(reason: "a part has more than the \(promised) bytes that it promised")
                }
                return .bytes(count)
            case .end:
                if let promised = part.count, readCount < promised {
                    throw .unreadableBody(reason: "a part ended after \(readCount) of \(promised) bytes")
                }
                reader.close()
                self.reader = nil
                parts.removeFirst()
                return .end
            case let other: return other
            }
        } catch {
            return .failed(error)
        }
    }

    private func openReader(of part: HTTPRequestBody) throws(HTTPError) -> any HTTPBodyReader {
        if let reader { return reader }
        let reader = try part.makeReader()
        reader.open(onReady: onReady ?? {})
        self.reader = reader
        readCount = 0
        return reader
    }
}
