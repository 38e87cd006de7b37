/// Whether the body of a task may come: what its receiver and its owner want, and what the transport was told.
struct TaskFlow {
    /// The receiver of a chunk asked for a pause.
    private(set) var isPaused = false
    /// The owner suspended the task.
    private(set) var isSuspended = false

    /// The transport is to be told to go on before its exchange is known.
    var isResumeOwed = false

    private var isTransportPaused = false
    /// The receiver went on while the chunk for which it wanted a pause was still in its hands.
    private var isResumedEarly = false

    /// A chunk goes to the receiver.
    mutating func chunkArrived() { isResumedEarly = false }

    /// What to tell the transport after the receiver has had a chunk.
    mutating func note(_ wanted: HTTPFlow) -> HTTPFlow {
        if wanted == .pause, !isResumedEarly { isPaused = true }
        return isPaused || isSuspended ? pauseTransport() : .proceed
    }

    /// Notes that the transport is told to pause.
    mutating func pauseTransport() -> HTTPFlow {
        isTransportPaused = true
        isResumeOwed = false
        return .pause
    }

    /// The receiver goes on.
    mutating func resumeReceiving() {
        isResumedEarly = true
        isPaused = false
    }

    /// False where the task is suspended already.
    mutating func suspend() -> Bool {
        defer { isSuspended = true }
        return !isSuspended
    }

    /// False where the task is not suspended.
    mutating func endSuspension() -> Bool {
        defer { isSuspended = false }
        return isSuspended
    }

    /// Whether the transport is to be told to go on, which it is once.
    mutating func mustResumeTransport() -> Bool {
        guard isTransportPaused, !isPaused, !isSuspended else { return false }
        isTransportPaused = false
        return true
    }

    /// Whether chunks may go to the receiver.
    var isOpen: Bool { !isPaused && !isSuspended }

    /// The next exchange begins with a transport that is not paused.
    mutating func exchangeEnded() {
        isResumeOwed = false
        isPaused = false
        isTransportPaused = false
    }
}
