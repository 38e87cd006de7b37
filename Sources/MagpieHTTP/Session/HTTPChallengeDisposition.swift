/// What to do with a challenge.
public enum HTTPChallengeDisposition: Sendable, Hashable {
    /// Answers with this credential.
    case useCredential(HTTPCredential)
    /// Answers with the request's own credential where there is one, else takes the response as the task's.
    case performDefaultHandling
    /// Ends the task with this error.
    case cancel(HTTPError)
}
