import Foundation
import MagpieConcurrency

/// Takes what the transport brings for a download and has it worked off on a worker thread, in order; holds the transfer
/// back where the disk is slower than the network.
final class DownloadQueue: TaskConsumer {
    /// What is to be done.
    enum Step {
        /// The next request is to be sent.
        case start
        /// A head has come.
        case head(HTTPResponse)
        /// A part of the body has come.
        case chunk(Data)
        /// The request is over.
        case end(Result<HTTPTaskMetrics, HTTPError>)
    }

    fileprivate struct State {
        var steps: [Step] = []
        /// The bytes that are not written yet, those that are just being written included.
        var byteCount = 0
        var isWorking = false
        var pausedTask: HTTPTask?
    }

    /// How many bytes may wait before the transfer is paused: what a disk takes within some milliseconds.
    private static let highWater = 2 << 20

    /// How few bytes are left when the transfer is resumed.
    private static let lowWater = 512 << 10

    /// The threads that write; few, since a disk does not get faster by more.
    private static let workers = WorkerPool(name: "magpie.download", width: 4)

    private let run: DownloadRun
    private let state = Lock(State())

    init(run: DownloadRun) { self.run = run }

    /// Begins.
    func start() { post(.start) }

    func receive(_ response: HTTPResponse, of task: HTTPTask) { post(.head(response)) }

    func receive(_ chunk: Data, of task: HTTPTask) -> HTTPFlow {
        let (mustWork, flow) = state.withLock { state -> (Bool, HTTPFlow) in
            state.byteCount += chunk.count
            // What waits may still be of an earlier request; it is this one that is held back, and resumed.
            let isFull = state.byteCount >= Self.highWater || state.pausedTask != nil
            if isFull { state.pausedTask = task }
            return (state.append(.chunk(chunk)), isFull ? .pause : .proceed)
        }
        if mustWork { Self.workers.run { self.work() } }
        return flow
    }

    func finish(_ result: Result<HTTPTaskMetrics, HTTPError>, of task: HTTPTask) { post(.end(result)) }

    private func post(_ step: Step) {
        if state.withLock({ $0.append(step) }) { Self.workers.run { self.work() } }
    }

    /// Works until nothing is left; on one thread at a time.
    private func work() {
        var written = 0
        while let steps = state.withLock({ $0.take(written: written) }) {
            written = 0
            for step in steps {
                if case .chunk(let data) = step { written += data.count }
                run.perform(step, for: self)
            }
            run.reportProgress()
            let resumed = state.withLock { $0.taskToResume(written: written, lowWater: Self.lowWater) }
            resumed?.resumeReceiving()
        }
    }
}

extension DownloadQueue.State {
    /// Adds a step; true where somebody has to start working.
    fileprivate mutating func append(_ step: DownloadQueue.Step) -> Bool {
        steps.append(step)
        defer { isWorking = true }
        return !isWorking
    }

    /// The next steps; `nil` ends the work.
    fileprivate mutating func take(written: Int) -> [DownloadQueue.Step]? {
        byteCount -= written
        guard !steps.isEmpty else {
            isWorking = false
            return nil
        }
        defer { steps = [] }
        return steps
    }

    /// The task that was paused, once few enough bytes are left beside those just written.
    fileprivate mutating func taskToResume(written: Int, lowWater: Int) -> HTTPTask? {
        guard byteCount - written <= lowWater else { return nil }
        defer { pausedTask = nil }
        return pausedTask
    }
}
