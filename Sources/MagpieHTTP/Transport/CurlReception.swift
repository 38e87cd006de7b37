import Foundation

/// What comes back in one exchange: the head, checked; the body, decoded and counted; the trailers.
///
/// Confined to the loop's thread.
struct CurlReception {
    /// The head of the final answer, once it is there.
    private(set) var response: HTTPResponse?

    /// Whether the bytes of the answer have to be looked at before libcurl takes their framing off.
    private(set) var needsRawBytes = false

    private var head = ResponseHeadParser()
    private var method = HTTPRequest.Method.get
    private var settings = HTTPTransportSettings()
    private var decompresses = false
    private var decoder: ContentDecoder?
    private var pending: Data?
    private var chunks = ChunkInspector()
    private var received: Int64 = 0

    /// Makes ready for the answer to another exchange.
    mutating func begin(_ request: HTTPRequest, _ settings: HTTPTransportSettings) {
        self.settings = settings
        method = request.method
        decompresses = settings.decompresses(request)
        head.reset(limits: settings.headerLimits)
        end()
    }

    /// Lets go what belongs to the exchange.
    mutating func end() {
        response = nil
        decoder = nil
        pending = nil
        chunks = ChunkInspector()
        received = 0
        needsRawBytes = false
    }

    /// The fields that came after the body.
    var trailers: HTTPFields { head.trailers }

    /// Whether a part of the body is kept here, for the time after a pause.
    var isHoldingBytes: Bool { pending != nil || decoder != nil }

    /// Takes a line of the header section, or of the trailers.
    ///
    /// - Returns: The head where the line ended it.
    mutating func take(line: UnsafeRawBufferPointer, url: URL) throws(HTTPError) -> HTTPResponse? {
        guard let response = try head.consume(line, url: url) else { return nil }
        if let problem = ResponseFraming.problem(in: response) { throw .malformedResponse(reason: problem) }
        self.response = response
        let hasBody = ResponseFraming.hasBody(response, to: method)
        let isFramed = response.version == .http1_0 || response.version == .http1_1
        needsRawBytes = isFramed && (!hasBody || isChunked || response.contentLength == 0)
        guard hasBody else { return response }
        if decompresses { decoder = try ContentDecoder.make(for: response.headerFields[.contentEncoding]) }
        if let limit = settings.maximumResponseSize, decoder == nil, let length = response.contentLength, length > limit
        {
            throw .responseTooLarge(limit: limit)
        }
        return response
    }

    /// Takes the next bytes of the body as libcurl hands them over; to be called once `nextChunk` has nothing more.
    mutating func take(body bytes: Data) throws(HTTPError) {
        guard response != nil else { throw .malformedResponse(reason: "no header section") }
        if let decoder { decoder.feed(bytes) } else { pending = bytes }
    }

    /// The next part of the body for the delegate.
    mutating func nextChunk() throws(HTTPError) -> Data? {
        let next = if let decoder { try decoder.next() } else { pending }
        pending = nil
        guard let chunk = next else { return nil }
        received += Int64(chunk.count)
        if let limit = settings.maximumResponseSize, received > limit { throw .responseTooLarge(limit: limit) }
        return chunk
    }

    /// Looks at bytes of the body as they came, before libcurl takes the chunks apart.
    mutating func inspect(raw bytes: UnsafeRawBufferPointer) throws(HTTPError) {
        guard isChunked, let problem = chunks.inspect(bytes) else { return }
        throw .malformedResponse(reason: problem)
    }

    /// Whether the server sent more than belongs to the answer, so that the connection cannot be trusted any more.
    ///
    /// An answer that has no body has no framing for one either (RFC 9110 §8.6).
    var hasExcess: Bool {
        guard let response else { return false }
        let isFramedForNothing =
            response.status.code == 204
            && (response.contentLength ?? 0 > 0 || response.headerFields.contains(.transferEncoding))
        return chunks.hasExcess || isFramedForNothing
    }

    /// Checks, where libcurl reports success, that all has come.
    func finish() throws(HTTPError) {
        guard response != nil else {
            guard head.hasBegun else { throw .malformedResponse(reason: "no header section") }
            throw .connectionLost(reason: "it ended within the header section")
        }
        try decoder?.finish()
    }

    private var isChunked: Bool { response?.headerFields.contains(.transferEncoding) ?? false }
}
