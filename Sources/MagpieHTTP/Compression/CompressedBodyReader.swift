import Foundation
import MagpieConcurrency

/// One pass through a compressed body.
///
/// A worker takes pieces from the source, compresses them, and lays them down until enough is ready; the transport takes
/// them from there. `@unchecked Sendable`: `deflater` and `source` are used by one worker at a time, which `isWorking`
/// (behind the lock) sees to; `close` ends the source's pass once no worker is busy with it.
final class CompressedBodyReader: HTTPBodyReader, @unchecked Sendable {
    private struct State {
        var ready = Data()
        var onReady: (@Sendable () -> Void)?
        var isWorking = false
        var hasMoreToDo = true
        var isAtEnd = false
        var isClosed = false
        var failure: HTTPError?
    }

    private enum Piece {
        case bytes(Data, isLast: Bool)
        case wait
        case failed(HTTPError)
    }

    private static let workers = WorkerPool(name: "magpie-deflate", width: 2)

    /// How many bytes of the source are compressed at a time.
    private static let pieceSize = 64 * 1024

    /// How many compressed bytes are made ahead.
    private static let readyLimit = 128 * 1024

    private let deflater: Deflater
    private let source: (any HTTPBodyReader)?
    private let data: Data
    private var place = 0
    private let state = Lock(State())

    /// A reader of a source, or of the data where there is none.
    init(_ source: (any HTTPBodyReader)?, data: Data, deflater: Deflater) {
        self.source = source
        self.data = data
        self.deflater = deflater
    }

    func open(onReady: @escaping @Sendable () -> Void) {
        state.withLock { $0.onReady = onReady }
        source?.open { [weak self] in self?.work() }
        work()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPBodyRead {
        let (answer, isLow) = state.withLock { state -> (HTTPBodyRead, Bool) in
            if let failure = state.failure { return (.failed(failure), false) }
            guard !state.ready.isEmpty else { return (state.isAtEnd ? .end : .wait, !state.isAtEnd) }
            let count = min(buffer.count, state.ready.count)
            state.ready.prefix(count).copyBytes(to: buffer)
            state.ready = state.ready.dropFirst(count)
            return (.bytes(count), state.ready.count < Self.readyLimit / 2)
        }
        if isLow { work() }
        return answer
    }

    func close() {
        let isIdle = state.withLock { state in
            state.isClosed = true
            state.onReady = nil
            return !state.isWorking
        }
        if isIdle { source?.close() }
    }

    /// Sets a worker to it, unless one is busy with it already: that one then looks once more.
    private func work() {
        let mustStart = state.withLock { state in
            guard !state.isClosed, !state.isAtEnd else { return false }
            state.hasMoreToDo = true
            defer { state.isWorking = true }
            return !state.isWorking
        }
        guard mustStart else { return }
        Self.workers.run { self.fill() }
    }

    private func fill() {
        while wantsMore() {
            let piece = nextPiece()
            var packed = Data()
            if case .bytes(let bytes, let isLast) = piece {
                bytes.withUnsafeBytes { deflater.compress($0, isLast: isLast, into: &packed) }
            }
            let onReady = state.withLock { state -> (@Sendable () -> Void)? in
                switch piece {
                case .bytes(_, let isLast):
                    state.ready += packed
                    state.isAtEnd = isLast
                    state.hasMoreToDo = true
                case .wait: break
                case .failed(let error):
                    state.failure = error
                    state.isAtEnd = true
                }
                return state.onReady
            }
            onReady?()
        }
    }

    /// Whether to take another piece; false lets the worker go.
    private func wantsMore() -> Bool {
        let (wantsMore, mustClose) = state.withLock { state in
            let isFull = state.ready.count >= Self.readyLimit
            let wantsMore = state.hasMoreToDo && !isFull && !state.isAtEnd && !state.isClosed
            // A wake-up that comes from now on is for what the next piece does not hold.
            if wantsMore { state.hasMoreToDo = false } else { state.isWorking = false }
            return (wantsMore, !wantsMore && state.isClosed)
        }
        if mustClose { source?.close() }
        return wantsMore
    }

    private func nextPiece() -> Piece {
        guard let source else {
            let piece = data.dropFirst(place).prefix(Self.pieceSize)
            place += piece.count
            return .bytes(piece, isLast: place == data.count)
        }
        var bytes = Data(count: Self.pieceSize)
        switch bytes.withUnsafeMutableBytes({ source.read(into: $0) }) {
        case .bytes(let count): return .bytes(bytes.prefix(count), isLast: false)
        case .end: return .bytes(Data(), isLast: true)
        case .wait: return .wait
        case .failed(let error): return .failed(error)
        }
    }
}
