import Foundation

/// The methods of HTTP for programs that want to be called back.
///
/// Exactly one of `success` and `failure` is called, once, on a thread that may take its time. What `success` gets is what the
/// serializer makes of the answer: by default its bytes, where the status is from 200 to 299. Where no request could be made of
/// the arguments, there is no task and `failure` gets none.
extension HTTPSession {
    /// Called with a task and what its answer became.
    public typealias Success<Output> = @Sendable (HTTPTask, Output) -> Void

    /// Called with the task, where there is one, and what went wrong.
    public typealias Failure = @Sendable (HTTPTask?, HTTPError) -> Void

    /// Loads an address.
    ///
    /// - Parameters:
    ///   - path: The address, absolute or relative to the session's base URL.
    ///   - parameters: What the configuration's `requestSerializer` adds to the request.
    ///   - headerFields: The fields of this request.
    ///   - serializer: What makes a value of the answer.
    ///   - progress: Is told of each part of the body that arrives, on a thread of the transport; must not block.
    ///   - success: Is called with the value.
    ///   - failure: Is called where there is none.
    @discardableResult
    public func get<Serializer: HTTPResponseSerializer>(
        _ path: String,
        parameters: HTTPParameters? = nil,
        headerFields: HTTPFields = [:],
        serializer: Serializer = DataResponseSerializer(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        success: @escaping Success<Serializer.Output>,
        failure: @escaping Failure
    ) -> HTTPTask? {
        load(progress: progress, serializer: serializer, success: success, failure: failure) { () throws(HTTPError) in
            try request(.get, path, parameters: parameters, headerFields: headerFields)
        }
    }

    /// Asks for the head that a `get` would have, without the body.
    @discardableResult
    public func head(
        _ path: String,
        parameters: HTTPParameters? = nil,
        headerFields: HTTPFields = [:],
        success: @escaping @Sendable (HTTPTask) -> Void,
        failure: @escaping Failure
    ) -> HTTPTask? {
        let success: Success<Data> = { task, _ in success(task) }
        return load(serializer: DataResponseSerializer(), success: success, failure: failure) { () throws(HTTPError) in
            try request(.head, path, parameters: parameters, headerFields: headerFields)
        }
    }

    /// Removes what is at the address.
    @discardableResult
    public func delete<Serializer: HTTPResponseSerializer>(
        _ path: String,
        parameters: HTTPParameters? = nil,
        headerFields: HTTPFields = [:],
        serializer: Serializer = DataResponseSerializer(),
        success: @escaping Success<Serializer.Output>,
        failure: @escaping Failure
    ) -> HTTPTask? {
        load(serializer: serializer, success: success, failure: failure) { () throws(HTTPError) in
            try request(.delete, path, parameters: parameters, headerFields: headerFields)
        }
    }
}

// MARK: - The one way

extension HTTPSession {
    /// Makes a value of a large answer takes a while, during which the transport's thread has to serve others.
    private static let serialization = WorkerPool(name: "magpie.serialization", width: 2)

    func load<Serializer: HTTPResponseSerializer>(
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        uploadProgress: (@Sendable (HTTPProgress) -> Void)? = nil,
        serializer: Serializer,
        success: @escaping Success<Serializer.Output>,
        failure: @escaping Failure,
        request: () throws(HTTPError) -> HTTPRequest
    ) -> HTTPTask? {
        do throws(HTTPError) {
            let relay = CompletionRelay { task, result in
                Self.serialization.run {
                    do throws(HTTPError) {
                        success(task, try serializer.serialize(try result.get()))
                    } catch {
                        failure(task, error)
                    }
                }
            }
            let collector = BodyCollector(uploadProgress: uploadProgress, progress: progress) { relay.finish($0) }
            let task = makeTask(try request(), consumer: collector)
            relay.task = task
            enqueue(task)
            return task
        } catch {
            Self.serialization.run { failure(nil, error) }
            return nil
        }
    }
}

/// Brings a task and its result together.
///
/// `@unchecked Sendable`: the task is set once, before it is put into the queue, and read once, when it ends.
private final class CompletionRelay: @unchecked Sendable {
    var task: HTTPTask?
    private let completion: @Sendable (HTTPTask, Result<HTTPDataResponse, HTTPError>) -> Void

    init(completion: @escaping @Sendable (HTTPTask, Result<HTTPDataResponse, HTTPError>) -> Void) {
        self.completion = completion
    }

    func finish(_ result: Result<HTTPDataResponse, HTTPError>) {
        guard let task else { return }
        self.task = nil
        completion(task, result)
    }
}
