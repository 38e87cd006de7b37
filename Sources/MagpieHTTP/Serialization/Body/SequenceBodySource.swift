import Foundation
import MagpieConcurrency

/// An asynchronous sequence of bytes as content of a request; can be read once.
final class SequenceBodySource: HTTPBodySource {
    /// Gives each chunk to the function, which returns when there is room for another one.
    typealias Production = @Sendable (_ deliver: (Data) async throws -> Void) async throws -> Void

    let count: Int64?
    var isRepeatable: Bool { false }

    private let production: Lock<Production?>

    init(count: Int64?, production: @escaping Production) {
        self.count = count
        self.production = Lock(production)
    }

    func makeReader() throws(HTTPError) -> any HTTPBodyReader {
        let production = production.withLock { production in
            defer { production = nil }
            return production
        }
        guard let production else { throw .unreadableBody(reason: "a stream can be sent once only") }
        return SequenceBodyReader(production)
    }
}

/// Reads what a task produces; the task waits while a chunk is unread, with the one behind it in its hand.
private final class SequenceBodyReader: HTTPBodyReader {
    private struct State {
        var chunk = Data()
        var end: HTTPBodyRead?
        var isWaitedFor = false
        var isClosed = false
        var onReady: (@Sendable () -> Void)?
        var producer: CheckedContinuation<Void, Never>?
        var task: Task<Void, Never>?
    }

    private let production: SequenceBodySource.Production
    private let state = Lock(State())

    init(_ production: @escaping SequenceBodySource.Production) { self.production = production }

    func open(onReady: @escaping @Sendable () -> Void) {
        state.withLock { $0.onReady = onReady }
        let task = Task { await produce() }
        let isClosed = state.withLock { state in
            state.task = task
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPBodyRead {
        let (answer, producer) = state.withLock { state -> (HTTPBodyRead, CheckedContinuation<Void, Never>?) in
            guard !state.chunk.isEmpty else {
                state.isWaitedFor = state.end == nil
                return (state.end ?? .wait, nil)
            }
            let count = state.chunk.copyBytes(to: buffer)
            state.chunk = state.chunk.dropFirst(count)
            guard state.chunk.isEmpty else { return (.bytes(count), nil) }
            state.chunk = Data()
            defer { state.producer = nil }
            return (.bytes(count), state.producer)
        }
        producer?.resume()
        return answer
    }

    func close() {
        let old = state.withLock { state in
            state.isClosed = true
            defer {
                state.onReady = nil
                state.producer = nil
                state.task = nil
                state.chunk = Data()
            }
            return state
        }
        old.task?.cancel()
        old.producer?.resume()
    }

    private func produce() async {
        do {
            try await production { chunk in try await self.deliver(chunk) }
            become { $0.end = .end }
        } catch let error as HTTPError {
            become { $0.end = .failed(error) }
        } catch {
            become { $0.end = .failed(.unreadableBody(reason: "\(error)")) }
        }
    }

    private func deliver(_ chunk: Data) async throws {
        guard !chunk.isEmpty else { return }
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                if state.chunk.isEmpty || state.isClosed { return true }
                state.producer = continuation
                return false
            }
            if hasRoom { continuation.resume() }
        }
        try Task.checkCancellation()
        become { $0.chunk = chunk }
    }

    /// Changes the state and tells who waits for a change.
    private func become(_ change: (inout State) -> Void) {
        let onReady = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isClosed else { return nil }
            change(&state)
            defer { state.isWaitedFor = false }
            return state.isWaitedFor ? state.onReady : nil
        }
        onReady?()
    }
}
