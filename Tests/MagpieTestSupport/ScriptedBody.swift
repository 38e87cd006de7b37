public import Foundation
import MagpieConcurrency
public import MagpieHTTP

/// A source of a body that brings exactly what a test says, when the test says it.
public final class ScriptedBody: HTTPBodySource {
    /// What the source does next.
    public enum Step: Sendable {
        /// Brings these bytes.
        case bytes(Data)
        /// Has nothing until `proceed` is called.
        case wait
        /// Fails.
        case fail(HTTPError)
    }

    private struct State {
        var readers: [Reader] = []
        var closeCount = 0
    }

    /// The number of bytes that is promised.
    public let count: Int64?

    /// Whether more than one reader is given out.
    public let isRepeatable: Bool

    private let steps: [Step]
    private let state = Lock(State())

    /// Makes a source.
    public init(count: Int64? = nil, isRepeatable: Bool = true, _ steps: [Step]) {
        self.count = count
        self.isRepeatable = isRepeatable
        self.steps = steps
    }

    /// How many readers were asked for.
    public var readerCount: Int { state.withLock { $0.readers.count } }

    /// How many times a reader was closed.
    public var closeCount: Int { state.withLock { $0.closeCount } }

    /// Whether the last reader was asked when it had nothing.
    public var isWaiting: Bool { state.withLock { $0.readers.last }?.isWaiting ?? false }

    /// Ends a wait of the last reader.
    public func proceed() { state.withLock { $0.readers.last }?.proceed() }

    /// Starts over; see `HTTPBodySource`.
    public func makeReader() throws(HTTPError) -> any HTTPBodyReader {
        let reader = Reader(steps) { [weak self] in self?.state.withLock { $0.closeCount += 1 } }
        let isAllowed = state.withLock { state in
            guard isRepeatable || state.readers.isEmpty else { return false }
            state.readers.append(reader)
            return true
        }
        guard isAllowed else { throw .unreadableBody(reason: "it was read before") }
        return reader
    }
}

extension ScriptedBody {
    private final class Reader: HTTPBodyReader {
        private struct State {
            var steps: [Step]
            var isWaiting = false
            var onReady: (@Sendable () -> Void)?
        }

        private let state: Lock<State>
        private let onClose: @Sendable () -> Void

        init(_ steps: [Step], onClose: @escaping @Sendable () -> Void) {
            state = Lock(State(steps: steps.reversed()))
            self.onClose = onClose
        }

        var isWaiting: Bool { state.withLock { $0.isWaiting } }

        func proceed() {
            let onReady = state.withLock { state in
                if case .wait? = state.steps.last { state.steps.removeLast() }
                state.isWaiting = false
                return state.onReady
            }
            onReady?()
        }

        func open(onReady: @escaping @Sendable () -> Void) { state.withLock { $0.onReady = onReady } }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPBodyRead {
            state.withLock { state in
                switch state.steps.popLast() {
                case nil: return .end
                case .fail(let error): return .failed(error)
                case .wait:
                    state.steps.append(.wait)
                    state.isWaiting = true
                    return .wait
                case .bytes(let data):
                    let part = data.prefix(buffer.count)
                    part.copyBytes(to: buffer)
                    if part.count < data.count { state.steps.append(.bytes(data.dropFirst(part.count))) }
                    return .bytes(part.count)
                }
            }
        }

        func close() {
            state.withLock { $0.onReady = nil }
            onClose()
        }
    }
}
