import Foundation

/// Decides what follows an answer or a failure: a redirect, an answer to a challenge, another try, or nothing.
struct TaskJudge: Sendable {
    let task: HTTPTask
    let question: TaskQuestion

    private var session: HTTPSession { task.session }
    private var delegate: (any HTTPSessionDelegate)? { session.configuration.delegate }

    /// Whether somebody has to be asked who may take time.
    var asksOthers: Bool { delegate != nil || !question.interceptors.isEmpty }

    /// The decision where nobody has to be asked.
    func immediateDecision() -> TaskDecision {
        do throws(HTTPError) {
            if let next = try redirect() { return Self.isRepeatable(next) ? .next(.redirect(next)) : .deliver }
        } catch {
            return .fail(error)
        }
        guard let challenge, let next = answer(to: challenge, with: defaultCredential(for: challenge)) else {
            return .deliver
        }
        return Self.isRepeatable(next.request) ? .next(.answer(next)) : .deliver
    }

    /// The decision of all who have a say.
    func decision() async -> TaskDecision {
        do throws(HTTPError) {
            if let response = question.response, let next = try redirect() {
                return await redirectDecision(next, response)
            }
        } catch {
            return .fail(error)
        }
        if let challenge, let decision = await challengeDecision(challenge) { return decision }
        return await retryDecision()
    }

    private static func isRepeatable(_ request: HTTPRequest) -> Bool { request.body?.isRepeatable ?? true }
}

// MARK: - Redirects

extension TaskJudge {
    private func redirect() throws(HTTPError) -> HTTPRequest? {
        guard let response = question.response else { return nil }
        let policy = session.configuration.redirects
        return try policy.followUp(to: question.request, after: response, count: question.redirectCount)
    }

    private func redirectDecision(_ proposal: HTTPRequest, _ response: HTTPResponse) async -> TaskDecision {
        guard let delegate else { return Self.isRepeatable(proposal) ? .next(.redirect(proposal)) : .deliver }
        guard let wanted = await delegate.willFollowRedirect(to: proposal, after: response, of: task) else {
            return .deliver
        }
        if let problem = HTTPOrigin.problem(of: wanted.url) { return .fail(problem) }
        return await withBody(wanted).map { .next(.redirect($0)) } ?? .deliver
    }

    /// The request with a body that can be sent, or `nil` where there is none.
    private func withBody(_ request: HTTPRequest) async -> HTTPRequest? {
        guard !Self.isRepeatable(request) else { return request }
        guard let body = await delegate?.needsNewBody(for: task) else { return nil }
        var request = request
        request.body = body
        return request
    }
}

// MARK: - Challenges

extension TaskJudge {
    /// How often a task answers challenges, whatever its delegate wants.
    private static let maximumAnswers = 10

    private var challenge: HTTPChallenge? {
        guard question.challengeCount < Self.maximumAnswers else { return nil }
        guard delegate != nil || question.request.credential != nil else { return nil }
        var challenge = HTTPChallenge.strongest(of: challenges)
        challenge?.previousFailureCount = question.challengeCount
        return challenge
    }

    private var challenges: [HTTPChallenge] {
        if let response = question.response { return HTTPChallenge.all(in: response) }
        guard case .proxyAuthenticationRequired(let challenges) = question.error else { return [] }
        return HTTPChallenge.all(in: challenges, isProxy: true, host: question.request.url.host() ?? "")
    }

    /// The request's own credential where it may help: not for proxies, and once, unless only the nonce was too old.
    private func defaultCredential(for challenge: HTTPChallenge) -> HTTPCredential? {
        guard !challenge.isProxy, let credential = question.request.credential else { return nil }
        // A token went with the request already.
        if case .token = credential.kind { return nil }
        let isFirst = question.challengeCount == 0
        return isFirst || (challenge.isStale && question.challengeCount < 3) ? credential : nil
    }

    private func answer(to challenge: HTTPChallenge, with credential: HTTPCredential?) -> AnsweredRequest? {
        guard let credential else { return nil }
        return session.authentication.answer(challenge, with: credential, in: question.request)
    }

    /// `nil` where the challenge is not answered.
    private func challengeDecision(_ challenge: HTTPChallenge) async -> TaskDecision? {
        var credential: HTTPCredential?
        switch await delegate?.didReceive(challenge, of: task) ?? .performDefaultHandling {
        case .useCredential(let given): credential = given
        case .performDefaultHandling: credential = defaultCredential(for: challenge)
        case .cancel(let error): return .fail(error)
        }
        guard var next = answer(to: challenge, with: credential), let request = await withBody(next.request) else {
            return nil
        }
        next.request = request
        return .next(.answer(next))
    }
}

// MARK: - Another try

extension TaskJudge {
    private func retryDecision() async -> TaskDecision {
        guard !question.interceptors.isEmpty, Self.isRepeatable(task.originalRequest) else { return .deliver }
        let attempt = HTTPAttempt(
            request: question.request,
            response: question.response,
            error: question.error,
            retryCount: question.retryCount,
            elapsed: question.elapsed,
            timeLeft: question.timeLeft
        )
        for interceptor in question.interceptors {
            guard let delay = await interceptor.retry(attempt).delay else { continue }
            if let left = question.timeLeft, delay >= left { return .deliver }
            return .next(.retry(after: delay))
        }
        return .deliver
    }
}
