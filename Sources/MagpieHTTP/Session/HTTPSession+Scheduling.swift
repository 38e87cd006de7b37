import Foundation
import MagpieConcurrency
import Synchronization

/// When tasks have their turn.
///
/// A task's own lock is taken inside the session's, never the other way round.
extension HTTPSession {
    /// Makes a task of the request with the session's default fields; it does not wait in the queue yet.
    func makeTask(_ request: HTTPRequest, consumer: any TaskConsumer) -> HTTPTask {
        var request = request
        let isOwn = isOwn(request.url)
        for field in configuration.headerFields where !request.headerFields.contains(field.name) {
            if isOwn || !HTTPRedirectPolicy.fieldsOfCredentials.contains(field.name) {
                request.headerFields.append(field)
            }
        }
        if isOwn, request.credential == nil, let credential = configuration.credential {
            request.credential = credential
        }
        let task = HTTPTask(request: request, session: self, consumer: consumer)
        hub.emit(.created(task))
        return task
    }

    /// Whether the session's secrets may go to the address: to the origin of the base URL, or to any where there is none.
    func isOwn(_ url: URL) -> Bool { baseURL.map { HTTPOrigin.isSame($0, url) } ?? true }

    /// Puts the task into the queue, or ends it where it cannot be loaded.
    func enqueue(_ task: HTTPTask) {
        let url = task.originalRequest.url
        if let problem = HTTPOrigin.problem(of: url) { return task.finish(.failure(problem)) }
        let host = HTTPOrigin.key(of: url)
        let (error, mustPrepare) = schedule.withLock { schedule -> (HTTPError?, Bool) in
            guard !schedule.isInvalidated else { return (.sessionInvalidated, false) }
            let interceptors = schedule.interceptors + task.originalRequest.interceptors
            return task.core.withLock { core in
                let priority = core.priority
                guard core.enqueue({ schedule.queue.enqueue(task, host: host, priority: priority) }) else {
                    return (.cancelled, false)
                }
                unfinishedCount.add(1, ordering: .relaxed)
                core.interceptors = interceptors
                core.isPreparing = !interceptors.isEmpty
                if !core.isReady, let ticket = core.ticket { schedule.queue.park(ticket) }
                return (nil, core.isPreparing)
            }
        }
        if let error { return task.finish(.failure(error)) }
        if mustPrepare { task.prepare(after: nil) } else { startReadyTasks() }
    }

    /// Lets a task whose request is ready wait for its turn.
    func prepared(_ task: HTTPTask, with request: HTTPRequest, after duration: Duration) {
        if let problem = HTTPOrigin.problem(of: request.url) { return task.finish(.failure(problem)) }
        let host = HTTPOrigin.key(of: request.url)
        schedule.withLock { schedule in
            task.core.withLock { core in
                guard case .waiting = core.phase, let ticket = core.ticket else { return }
                core.request = request
                if core.started == nil { core.adaptation = duration }
                core.uploadProgress.expected = request.body?.count
                core.isPreparing = false
                schedule.queue.setHost(host, of: ticket)
                if core.isReady { schedule.queue.release(ticket) }
            }
        }
        startReadyTasks()
    }

    /// Starts the next exchange of a task that has its turn: at once where it stays with its host, else when there is
    /// room for it at the new one.
    func proceed(_ task: HTTPTask, to url: URL) {
        let host = HTTPOrigin.key(of: url)
        let isHere = schedule.withLock { schedule in
            task.core.withLock { core -> Bool in
                guard case .waiting = core.phase, let ticket = core.ticket, !core.isCancelled else { return true }
                if core.isReady, schedule.queue.isRunning(ticket, for: host) { return true }
                schedule.queue.park(ticket)
                schedule.queue.setHost(host, of: ticket)
                if core.isReady { schedule.queue.release(ticket) }
                return false
            }
        }
        if isHere { task.begin() } else { startReadyTasks() }
    }

    /// Takes a waiting task out of the queue; false where it has got its turn.
    func withdraw(_ ticket: TaskCore.Ticket) -> Bool { schedule.withLock { $0.queue.removeWaiting(ticket) } }

    /// Changes the priority of the task and its place in the queue, if it has one, as one step.
    func setPriority(_ priority: HTTPPriority, of task: HTTPTask) {
        schedule.withLock { schedule in
            let ticket = task.core.withLock { core in
                core.priority = priority
                return core.ticket
            }
            if let ticket { schedule.queue.setPriority(priority, of: ticket) }
        }
    }

    /// Holds the task back; false where it is held back already, or over.
    func suspend(_ task: HTTPTask) -> Bool {
        let isNew = schedule.withLock { schedule in
            task.core.withLock { core -> Bool in
                guard core.result == nil, core.flow.suspend() else { return false }
                if case .waiting = core.phase, let ticket = core.ticket { schedule.queue.park(ticket) }
                return true
            }
        }
        // A running task that was parked too soon has given its place to another.
        if isNew { startReadyTasks() }
        return isNew
    }

    /// Ends what `suspend` began; false where the task is not suspended.
    func resume(_ task: HTTPTask) -> Bool {
        guard task.core.withLock({ $0.flow.isSuspended }) else { return false }
        let isNew = schedule.withLock { schedule in
            task.core.withLock { core -> Bool in
                guard core.result == nil, core.flow.endSuspension() else { return false }
                if core.isReady, let ticket = core.ticket { schedule.queue.release(ticket) }
                return true
            }
        }
        if isNew { startReadyTasks() }
        return isNew
    }

    /// Gives the place of a task to the next.
    func taskEnded(_ ticket: TaskCore.Ticket?) {
        guard let ticket else { return }
        schedule.withLock { _ = $0.queue.remove(ticket) }
        startReadyTasks()
    }

    /// Starts what may start.
    ///
    /// One thread at a time does so, so that tasks that end at once do not nest.
    func startReadyTasks() {
        var isContinuing = false
        while true {
            let task = schedule.withLock { schedule -> HTTPTask? in
                guard isContinuing || !schedule.isStarting else { return nil }
                let task = schedule.queue.dequeue()
                schedule.isStarting = task != nil
                return task
            }
            guard let task else { return }
            isContinuing = true
            task.begin()
        }
    }
}
