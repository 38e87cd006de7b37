/// Content of a request that is made while it is sent: a file, a form of many parts, what a program produces.
public protocol HTTPBodySource: AnyObject, Sendable {
    /// The number of bytes that will be sent, or `nil` where it is not known beforehand.
    ///
    /// A source that brings another number than it promised fails the request.
    var count: Int64? { get }

    /// Whether `makeReader` gives the same bytes again each time, so that a request can be repeated after a redirect, a
    /// challenge or a failure.
    var isRepeatable: Bool { get }

    /// Starts to give the bytes, from the first one on.
    ///
    /// - Throws: `HTTPError.unreadableBody` where the bytes cannot be had, also for the second call of a source that is
    ///   not repeatable.
    func makeReader() throws(HTTPError) -> any HTTPBodyReader
}
