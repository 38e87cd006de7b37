import Dispatch
@preconcurrency import Glibc
import Magpie

/// Ends work in good order when the user presses Control-C: what is under way is cancelled, what is finished is kept.
enum Interruption {
    /// Runs work that may be interrupted; an interruption cancels its task, and the status tells of it.
    static func run(_ work: @escaping @Sendable () async -> ExitStatus) async -> ExitStatus {
        let task = Task { await work() }
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { task.cancel() }
        source.resume()
        defer { source.cancel() }
        let status = await task.value
        return task.isCancelled ? .interrupted : status
    }
}

extension ImageLoad {
    /// The result; a task that is cancelled while it waits cancels the load.
    var resultOrCancellation: Result<ImageResult, WebImageError> {
        get async {
            await withTaskCancellationHandler {
                await result
            } onCancel: {
                cancel()
            }
        }
    }
}
