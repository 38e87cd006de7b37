/// An answer whose body is read as it comes.
public struct HTTPStreamResponse: Sendable {
    /// The head.
    public let response: HTTPResponse

    /// The body; released before its end it cancels the task.
    public let body: HTTPBodyStream

    /// The task, for its progress and its measures.
    public var task: HTTPTask { body.task }

    /// The status of the answer.
    public var status: HTTPResponse.Status { response.status }
}

extension HTTPSession {
    /// Starts a request and waits for the head of the answer; the body is read from the result as it comes.
    ///
    /// What the reader has not asked for yet is held back on the server's side, apart from a small buffer. Cancelling the
    /// Swift task, or releasing the body before its end, cancels the request.
    public func stream(for request: HTTPRequest) async throws(HTTPError) -> HTTPStreamResponse {
        let buffer = StreamBuffer()
        let task = makeTask(request, consumer: buffer)
        let body = HTTPBodyStream(task: task, buffer: buffer)
        enqueue(task)
        do throws(HTTPError) {
            return HTTPStreamResponse(response: try await task.response(), body: body)
        } catch {
            task.cancel()
            throw error
        }
    }
}
