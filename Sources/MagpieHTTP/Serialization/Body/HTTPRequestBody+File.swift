public import Foundation
import MagpieConcurrency

extension HTTPRequestBody {
    /// Writes the content to a file instead of sending it; a file that is there is replaced.
    ///
    /// - Throws: `HTTPError.unreadableBody` where the content cannot be had, `.cannotWriteFile` where the file cannot be written,
    ///   and `.cancelled` where the Swift task was cancelled. The file is left as it was then.
    public func write(to file: URL) async throws(HTTPError) {
        let writer = BodyFileWriter(path: file.path(percentEncoded: false))
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Of its own, since it waits for readers that may be short of threads themselves.
                let thread = Thread { continuation.resume(returning: writer.write(self)) }
                thread.name = "magpie.body-file"
                thread.start()
            }
        } onCancel: {
            writer.cancel()
        }
        try result.get()
    }
}

/// Pumps content into a file, on a thread that may block.
private final class BodyFileWriter: Sendable {
    private let path: String
    private let isCancelled = Lock(false)
    private let wakeUps = DispatchSemaphore(value: 0)

    init(path: String) { self.path = path }

    func cancel() {
        isCancelled.withLock { $0 = true }
        wakeUps.signal()
    }

    func write(_ content: HTTPRequestBody) -> Result<Void, HTTPError> {
        // Beside the file until it is whole: what is there stays, and may be the content itself.
        let folder = (path as NSString).deletingLastPathComponent
        let name = ".\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
        let temporary = (folder as NSString).appendingPathComponent(name)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return .failure(failure(errno)) }
        var result = Result { () throws(HTTPError) in try pump(content, into: descriptor) }
        if close(descriptor) != 0, case .success = result { result = .failure(failure(errno)) }
        if case .success = result, rename(temporary, path) != 0 { result = .failure(failure(errno)) }
        if case .failure = result { unlink(temporary) }
        return result
    }

    private func pump(_ content: HTTPRequestBody, into descriptor: CInt) throws(HTTPError) {
        let reader = try content.makeReader()
        reader.open { [wakeUps] in wakeUps.signal() }
        defer { reader.close() }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        while true {
            guard !isCancelled.withLock({ $0 }) else { throw .cancelled }
            switch reader.readPlausibly(into: buffer) {
            case .bytes(let count): try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: descriptor)
            case .wait: wakeUps.wait()
            case .end: return
            case .failed(let error): throw error
            }
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) throws(HTTPError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
            guard count >= 0 || errno == EINTR else { throw failure(errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest[max(0, count)...])
        }
    }

    private func failure(_ code: CInt) -> HTTPError {
        .cannotWriteFile(path: path, reason: String(cString: strerror(code)))
    }
}
