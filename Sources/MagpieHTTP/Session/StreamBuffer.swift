import Foundation
import MagpieConcurrency

/// What has arrived of a body and is not read yet; holds the transfer back when that is much.
final class StreamBuffer: TaskConsumer {
    typealias Reader = CheckedContinuation<Result<Data?, HTTPError>, Never>

    fileprivate struct State {
        var chunks: [Data] = []
        var firstUnread = 0
        var byteCount = 0
        var isPaused = false
        var end: Result<Void, HTTPError>?
        var reader: Reader?
    }

    /// How many bytes may wait unread before the transfer is paused: enough for a few turns of a fast network.
    private static let highWater = 256 * 1024

    /// How few bytes are left when the transfer is resumed.
    private static let lowWater = 64 * 1024

    private let state = Lock(State())

    func receive(_ response: HTTPResponse, of task: HTTPTask) {}

    func receive(_ chunk: Data, of task: HTTPTask) -> HTTPFlow {
        let (reader, flow) = state.withLock { state -> (Reader?, HTTPFlow) in
            if let reader = state.reader {
                state.reader = nil
                return (reader, .proceed)
            }
            state.chunks.append(chunk)
            state.byteCount += chunk.count
            // Only raised here: a chunk may still come after a pause, and the reader must not forget to resume.
            if state.byteCount >= Self.highWater { state.isPaused = true }
            return (nil, state.isPaused ? .pause : .proceed)
        }
        reader?.resume(returning: .success(chunk))
        return flow
    }

    func finish(_ result: Result<HTTPTaskMetrics, HTTPError>, of task: HTTPTask) {
        let end: Result<Void, HTTPError> = result.map { _ in }
        let reader = state.withLock { state -> Reader? in
            state.end = end
            // A cancelled body is not read on; of one that broke off, what came is still handed over.
            if case .failure(.cancelled) = end { state.drop() }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: end.map { nil })
    }

    /// Hands the next chunk to the reader, now or when it comes.
    func next(for task: HTTPTask, _ reader: Reader) {
        let (result, mustResume) = state.withLock { $0.next(orWait: reader, lowWater: Self.lowWater) }
        if let result { reader.resume(returning: result) }
        if mustResume { task.resumeReceiving() }
    }
}

extension StreamBuffer.State {
    fileprivate mutating func next(
        orWait reader: StreamBuffer.Reader,
        lowWater: Int
    ) -> (Result<Data?, HTTPError>?, mustResume: Bool) {
        if firstUnread < chunks.count {
            let chunk = take()
            let mustResume = isPaused && byteCount <= lowWater
            if mustResume { isPaused = false }
            return (.success(chunk), mustResume)
        }
        if let end { return (end.map { nil }, false) }
        // Two readers at once are a mistake of the caller; the later one is told so, and nothing is lost.
        guard self.reader == nil else { return (.failure(.cancelled), false) }
        self.reader = reader
        return (nil, false)
    }

    private mutating func take() -> Data {
        let chunk = chunks[firstUnread]
        chunks[firstUnread] = Data()
        firstUnread += 1
        byteCount -= chunk.count
        if firstUnread == chunks.count {
            chunks.removeAll(keepingCapacity: true)
            firstUnread = 0
        }
        return chunk
    }

    fileprivate mutating func drop() {
        chunks = []
        firstUnread = 0
        byteCount = 0
    }
}
