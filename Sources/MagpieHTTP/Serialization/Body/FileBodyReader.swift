import Foundation
import MagpieConcurrency

/// Reads a file ahead, on a thread of its own, into two buffers of which one is filled while the other is read.
///
/// `@unchecked Sendable`: `state` is reached through its lock; a buffer belongs to the filling thread while it is empty and
/// to the reading one while it is full; the descriptor belongs to the filling thread.
final class FileBodyReader: HTTPBodyReader, @unchecked Sendable {
    private struct State {
        var onReady: (@Sendable () -> Void)?
        /// How many bytes stand in each buffer, in the order of their filling.
        var full: [Int] = []
        /// How many of the first of these have been read.
        var offset = 0
        var firstBuffer = 0
        var isFilling = false
        var isWaitedFor = false
        var isClosed = false
        var isExhausted: Bool
        var failure: HTTPError?
    }

    private static let bufferSize = 256 << 10
    private static let pool = WorkerPool(name: "magpie.body", width: 4)

    private let path: String
    private let size: Int
    private let buffers: [UnsafeMutableRawBufferPointer]
    private let state: Lock<State>
    private var descriptor: CInt = -1
    private var unread: Int64

    init(path: String, count: Int64) {
        self.path = path
        unread = count
        size = Int(min(Int64(Self.bufferSize), count))
        buffers = (0..<2).map { [size] _ in .allocate(byteCount: size, alignment: 4096) }
        state = Lock(State(isExhausted: count == 0))
    }

    deinit {
        if descriptor >= 0 { Foundation.close(descriptor) }
        for buffer in buffers { buffer.deallocate() }
    }

    func open(onReady: @escaping @Sendable () -> Void) {
        let mayFill = state.withLock { state in
            state.onReady = onReady
            return Self.claimFilling(&state)
        }
        if mayFill { startFilling() }
    }

    func close() {
        // What the closure holds is let go outside the lock.
        let onReady = state.withLock { state in
            state.isClosed = true
            defer { state.onReady = nil }
            return state.onReady
        }
        _ = onReady
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPBodyRead {
        var copied = 0
        while copied < buffer.count {
            let next = state.withLock { state -> (bytes: UnsafeRawBufferPointer?, answer: HTTPBodyRead) in
                if let count = state.full.first {
                    return (UnsafeRawBufferPointer(rebasing: buffers[state.firstBuffer][state.offset..<count]), .wait)
                }
                if copied > 0 { return (nil, .bytes(copied)) }
                if let failure = state.failure { return (nil, .failed(failure)) }
                if state.isExhausted { return (nil, .end) }
                state.isWaitedFor = true
                return (nil, .wait)
            }
            guard let bytes = next.bytes else { return next.answer }
            let count = min(bytes.count, buffer.count - copied)
            UnsafeMutableRawBufferPointer(rebasing: buffer[copied..<(copied + count)])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            copied += count
            consumed(count)
        }
        return .bytes(copied)
    }

    /// Gives a buffer that has been read to the end back to be filled.
    private func consumed(_ count: Int) {
        let mayFill = state.withLock { state in
            state.offset += count
            guard let first = state.full.first, state.offset == first else { return false }
            state.full.removeFirst()
            state.offset = 0
            state.firstBuffer ^= 1
            return Self.claimFilling(&state)
        }
        if mayFill { startFilling() }
    }
}

// MARK: - Filling

extension FileBodyReader {
    private static func claimFilling(_ state: inout State) -> Bool {
        guard !state.isFilling, !state.isExhausted, state.failure == nil, !state.isClosed else { return false }
        state.isFilling = true
        return true
    }

    private func startFilling() { Self.pool.run { self.fill() } }

    /// Fills buffers as long as one is empty.
    private func fill() {
        while let buffer = emptyBuffer() {
            let result = readNext(into: buffers[buffer])
            let onReady = state.withLock { state -> (@Sendable () -> Void)? in
                switch result {
                case .success(let count):
                    state.full.append(count)
                    state.isExhausted = unread == 0
                case .failure(let error):
                    state.failure = error
                }
                defer { state.isWaitedFor = false }
                return state.isWaitedFor ? state.onReady : nil
            }
            onReady?()
        }
    }

    /// The buffer to fill next; nil ends the filling.
    private func emptyBuffer() -> Int? {
        state.withLock { state in
            if state.isClosed || state.isExhausted || state.failure != nil || state.full.count == 2 {
                state.isFilling = false
                return nil
            }
            return state.firstBuffer ^ state.full.count
        }
    }

    private func readNext(into buffer: UnsafeMutableRawBufferPointer) -> Result<Int, HTTPError> {
        if descriptor < 0 {
            // Should something else have taken the file's place, its opening must not block.
            descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return .failure(.unreadable(path, errno)) }
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        }
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, Int(min(Int64(buffer.count), unread)))
            if count > 0 {
                unread -= Int64(count)
                return .success(count)
            }
            if count == 0 { return .failure(.unreadableBody(reason: "\(path) has become shorter")) }
            guard errno == EINTR else { return .failure(.unreadable(path, errno)) }
        }
    }
}
