import Foundation
import MagpieConcurrency

/// Content that is held back: after each packet nothing goes out for a while.
final class ThrottledBodySource: HTTPBodySource {
    private let content: HTTPRequestBody
    private let packetSize: Int
    private let delay: Duration
    private let clock: any Clock<Duration>

    var count: Int64? { content.count }
    var isRepeatable: Bool { content.isRepeatable }

    init(_ content: HTTPRequestBody, packetSize: Int, delay: Duration, clock: any Clock<Duration>) {
        self.content = content
        self.packetSize = packetSize
        self.delay = delay
        self.clock = clock
    }

    func makeReader() throws(HTTPError) -> any HTTPBodyReader {
        let reader = try content.makeReader()
        return ThrottledBodyReader(reader, packetSize: packetSize) { [clock, delay] in
            try? await clock.sleep(for: delay)
        }
    }
}

/// Reads a packet, then lets a pause go by.
private final class ThrottledBodyReader: HTTPBodyReader {
    private struct State {
        var packetRest: Int
        var isPausing = false
        var isClosed = false
        var onReady: (@Sendable () -> Void)?
        var timer: Task<Void, Never>?
    }

    private let reader: any HTTPBodyReader
    private let packetSize: Int
    private let pause: @Sendable () async -> Void
    private let state: Lock<State>

    init(_ reader: any HTTPBodyReader, packetSize: Int, pause: @escaping @Sendable () async -> Void) {
        self.reader = reader
        self.packetSize = packetSize
        self.pause = pause
        state = Lock(State(packetRest: packetSize))
    }

    func open(onReady: @escaping @Sendable () -> Void) {
        state.withLock { $0.onReady = onReady }
        reader.open(onReady: onReady)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPBodyRead {
        let limit = state.withLock { $0.isPausing ? 0 : min($0.packetRest, buffer.count) }
        guard limit > 0 else { return .wait }
        let answer = reader.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<limit]))
        if case .bytes(let count) = answer { noteSent(count) }
        return answer
    }

    func close() {
        let timer = state.withLock { state in
            state.isClosed = true
            state.onReady = nil
            return state.timer
        }
        timer?.cancel()
        reader.close()
    }

    private func noteSent(_ count: Int) {
        let isPacketSent = state.withLock { state in
            state.packetRest -= count
            guard state.packetRest <= 0 else { return false }
            state.packetRest = packetSize
            state.isPausing = true
            return true
        }
        guard isPacketSent else { return }
        let timer = Task {
            await pause()
            let onReady = state.withLock { state in
                state.isPausing = false
                return state.onReady
            }
            onReady?()
        }
        state.withLock { $0.timer = timer }
    }
}
