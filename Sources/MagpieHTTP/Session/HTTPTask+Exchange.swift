import Foundation
import MagpieConcurrency

/// The way of a task through its exchanges.
extension HTTPTask {
    /// Starts an exchange; called when it is the task's turn.
    func begin() {
        let start = core.withLock { $0.begin(timeouts: originalRequest.timeouts ?? session.configuration.timeouts) }
        switch start {
        case .none: break
        case .start(let request, let number, let timeouts):
            session.hub.emit(.started(self))
            startExchange(session.authentication.authorize(request), number: number, timeouts: timeouts)
        case .finish(let result): finish(result)
        }
    }

    private func startExchange(_ request: HTTPRequest, number: Int, timeouts: HTTPTimeouts) {
        var settings = session.transportSettings
        settings.timeouts = timeouts
        let relay = TaskRelay(task: self, number: number)
        let exchange = session.transport.start(request, settings: settings, delegate: relay)
        switch core.withLock({ $0.keep(exchange, number: number) }) {
        case .none: break
        case .cancel: exchange.cancel()
        case .resume: exchange.resume()
        }
    }

    /// Ends the task: gives its place to the next one, then tells whoever waits.
    func finish(_ result: Result<HTTPTaskMetrics, HTTPError>) {
        guard let ending = core.withLock({ $0.finish(result) }) else { return }
        session.taskEnded(ending.ticket)
        ending.preparation?.cancel()
        if case .failure(let error) = result {
            for waiter in ending.waiters { waiter.resume(returning: .failure(error)) }
        }
        if let sent = ending.sent { consumer.didSend(sent, of: self) }
        consumer.finish(result, of: self)
        session.taskFinished(self, with: result, wasEnqueued: ending.ticket != nil)
    }

    /// Lets the body go on.
    func carryOut(_ resumption: TaskCore.Resumption) {
        switch resumption {
        case .none: break
        case .exchange(let exchange): exchange.resume()
        case .flush: flush()
        }
    }
}

// MARK: - The answer

extension HTTPTask {
    fileprivate func receive(_ response: HTTPResponse, number: Int) {
        let reception = core.withLock {
            $0.receive(
                response,
                number: number,
                redirects: session.configuration.redirects,
                hasDelegate: session.configuration.delegate != nil
            )
        }
        switch reception {
        case .ignore: break
        case .deliver(let waiters): deliver(response, to: waiters)
        case .decide(let question): decide(question, number: number)
        }
    }

    fileprivate func receive(_ chunk: Data, number: Int) -> HTTPFlow {
        switch core.withLock({ $0.receive(chunk, number: number) }) {
        case .ignore: return .proceed
        case .pause: return .pause
        case .abandon(let exchange):
            exchange?.cancel()
            return .proceed
        case .deliver(let isSuspended):
            let flow = consumer.receive(chunk, of: self)
            return flow == .pause || isSuspended ? core.withLock { $0.flow.note(flow) } : .proceed
        }
    }

    fileprivate func exchangeSent(_ count: Int64, number: Int) {
        guard let progress = core.withLock({ $0.sent(count, number: number) }) else { return }
        consumer.didSend(progress, of: self)
    }

    fileprivate func exchangeFinished(_ result: Result<HTTPTaskMetrics, HTTPError>, number: Int) {
        let (canRestart, hasDelegate) = (consumer.canRestart, session.configuration.delegate != nil)
        let end = core.withLock {
            $0.exchangeFinished(result, number: number, canRestart: canRestart, hasDelegate: hasDelegate)
        }
        switch end {
        case .ignore: break
        case .next(let step): goOn(with: step)
        case .decide(let question): decide(question, number: number)
        case .finish(let result): finish(result)
        }
    }

    private func deliver(_ response: HTTPResponse, to waiters: [TaskCore.HeadWaiter]) {
        session.hub.emit(.received(response, self))
        for waiter in waiters { waiter.resume(returning: .success(response)) }
        if let delegate = session.configuration.delegate, delegate.didReceive(response, of: self) == .cancel {
            return cancel()
        }
        consumer.receive(response, of: self)
    }

    /// Hands over what was held of an answer until it was decided on.
    private func flush() {
        while true {
            switch core.withLock({ $0.nextHeld() }) {
            case .chunk(let chunk):
                let flow = consumer.receive(chunk, of: self)
                core.withLock { _ = $0.flow.note(flow) }
            case .finish(let result): return finish(result)
            case .over(let exchange):
                exchange?.resume()
                return
            }
        }
    }
}

// MARK: - Decisions

extension HTTPTask {
    private func decide(_ question: TaskQuestion, number: Int) {
        let judge = TaskJudge(task: self, question: question)
        guard judge.asksOthers else { return follow(judge.immediateDecision(), number: number) }
        let decision = Task { follow(await judge.decision(), number: number) }
        limit(decision, to: question.timeLeft) { [self] in
            follow(.fail(core.withLock { $0.timedOut() }), number: number)
        }
    }

    /// Gives up what others have to say once it has taken longer than the task's limit leaves.
    private func limit(_ work: Task<Void, Never>, to left: Duration?, expire: @escaping @Sendable () -> Void) {
        guard let left else { return }
        let timer = Task {
            do { try await Task.sleep(for: left, clock: .continuous) } catch { return }
            expire()
            work.cancel()
        }
        Task {
            await work.value
            timer.cancel()
        }
    }

    private func follow(_ decision: TaskDecision, number: Int) {
        switch core.withLock({ $0.follow(decision, number: number) }) {
        case .none: break
        case .deliver(let response, let waiters):
            deliver(response, to: waiters)
            flush()
        case .abandon(let exchange): exchange?.cancel()
        case .next(let step): goOn(with: step)
        case .finish(let result): finish(result)
        }
    }

    private func goOn(with step: TaskDecision.Step) {
        switch step {
        case .redirect(let request):
            session.hub.emit(.redirected(to: request, self))
            session.proceed(self, to: request.url)
        case .answer(let answered): session.proceed(self, to: answered.request.url)
        case .retry(let delay):
            session.hub.emit(.retried(self))
            consumer.restart()
            session.proceed(self, to: originalRequest.url)
            prepare(after: delay)
        }
    }

    /// Waits, lets the interceptors change the request, and then lets the task have its turn.
    func prepare(after delay: Duration?) {
        let (session, interceptors) = (session, core.withLock { $0.interceptors })
        let begin = ContinuousClock.now
        let preparation = Task { [originalRequest] in
            do {
                if let delay, delay > .zero { try await session.configuration.clock.sleep(for: delay) }
                var request = originalRequest
                for interceptor in interceptors { request = try await interceptor.adapt(request, for: session) }
                session.prepared(self, with: request, after: .now - begin)
            } catch {
                finish(.failure(error as? HTTPError ?? .cancelled))
            }
        }
        let isFinished = core.withLock { core in
            core.preparation = preparation
            return core.result != nil
        }
        if isFinished { preparation.cancel() }
        let timeouts = originalRequest.timeouts ?? session.configuration.timeouts
        let left = core.withLock { $0.started == nil ? timeouts.total : $0.timeLeft }
        limit(preparation, to: left) { [self] in
            guard core.withLock({ $0.expirePreparation() }) else { return }
            finish(.failure(.timedOut(stage: .total, after: timeouts.total ?? .zero)))
        }
    }
}

/// Receives one exchange for its task; a late call of an exchange that another replaced is told by its number.
private final class TaskRelay: HTTPExchangeDelegate {
    private let task: HTTPTask
    private let number: Int

    init(task: HTTPTask, number: Int) {
        self.task = task
        self.number = number
    }

    func exchangeDidReceive(_ response: HTTPResponse) { task.receive(response, number: number) }
    func exchangeDidReceive(_ chunk: Data) -> HTTPFlow { task.receive(chunk, number: number) }
    func exchangeDidSend(bodyBytes total: Int64) { task.exchangeSent(total, number: number) }
    func exchangeDidFinish(_ result: Result<HTTPTaskMetrics, HTTPError>) {
        task.exchangeFinished(result, number: number)
    }
}
