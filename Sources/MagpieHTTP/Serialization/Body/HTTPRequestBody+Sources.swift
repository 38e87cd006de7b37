public import Foundation

extension HTTPRequestBody {
    /// The content of a file, read while it is sent.
    ///
    /// Its length is that of the file now: should it shrink, the request fails; what it grows by is not sent.
    ///
    /// - Throws: `HTTPError.unreadableBody` where it is no regular file that can be read.
    public static func file(_ url: URL) throws(HTTPError) -> Self { .source(try FileBodySource(url)) }

    /// What a program produces, asked for as fast as it can be sent and one chunk ahead.
    ///
    /// It can be sent once only: a request that has to be repeated fails with `HTTPError.unreadableBody`.
    ///
    /// - Parameters:
    ///   - chunks: The bytes. An `HTTPError` that it throws ends the request as it is, another as `unreadableBody`.
    ///   - count: The number of bytes in all, or `nil` where it is not known.
    public static func sequence<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, count: Int64? = nil) -> Self
    where Chunks.Element == Data {
        let source = SequenceBodySource(count: count) { deliver in
            for try await chunk in chunks { try await deliver(chunk) }
        }
        return .source(source)
    }

    /// The same content held back to `packetSize` bytes in each `delay`, for narrow lines.
    ///
    /// No thread is blocked meanwhile.
    public func throttled(packetSize: Int = 16_384, delay: Duration = .milliseconds(200)) -> Self {
        throttled(packetSize: packetSize, delay: delay, clock: ContinuousClock())
    }

    func throttled(packetSize: Int, delay: Duration, clock: any Clock<Duration>) -> Self {
        .source(ThrottledBodySource(self, packetSize: max(1, packetSize), delay: delay, clock: clock))
    }

    /// Starts to give the bytes, whatever the kind of the content.
    func makeReader() throws(HTTPError) -> any HTTPBodyReader {
        if let source { return try source.makeReader() }
        return DataBodyReader(data ?? Data())
    }
}
