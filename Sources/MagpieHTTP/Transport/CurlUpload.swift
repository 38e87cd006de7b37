import Foundation

/// The content of one exchange on its way out: where its bytes come from, and how many have gone.
///
/// Confined to the loop's thread.
struct CurlUpload {
    /// How many bytes have been handed to libcurl.
    private(set) var sent: Int64 = 0

    /// Whether the source had nothing when it was asked last, so that libcurl sends nothing.
    private(set) var isWaiting = false

    private var body: HTTPRequestBody?
    private var reader: (any HTTPBodyReader)?
    private var onReady: @Sendable () -> Void = {}
    private var isAtEnd = false
    private var reported: Int64 = 0

    /// After how many bytes the delegate hears of them.
    private static let reportStep: Int64 = 64 * 1024

    /// Nothing to send.
    init() {}

    /// Starts to take the bytes of `body`, if there is one.
    ///
    /// - Parameter onReady: Is called from any thread when there may be more after a wait.
    init(_ body: HTTPRequestBody?, onReady: @escaping @Sendable () -> Void) throws(HTTPError) {
        self.body = body
        self.onReady = onReady
        try openReader()
    }

    /// Copies the next bytes into `room`, no more than the body was said to have.
    mutating func read(into room: UnsafeMutableRawBufferPointer) -> HTTPBodyRead {
        guard !room.isEmpty, !isAtEnd else { return .end }
        let answer = reader.map { read(from: $0, into: room) } ?? readBytes(into: room)
        isAtEnd = if case .end = answer { true } else { isAtEnd }
        isWaiting = if case .wait = answer { true } else { false }
        return answer
    }

    /// Starts from the first byte again, where any was taken.
    mutating func rewind() throws(HTTPError) {
        guard sent > 0 || isAtEnd else { return }
        close()
        sent = 0
        reported = 0
        isAtEnd = false
        isWaiting = false
        try openReader()
    }

    /// Notes that the source may have something again; false where nobody waits for it.
    mutating func proceed() -> Bool {
        defer { isWaiting = false }
        return isWaiting
    }

    /// The bytes sent, where that is to be told: after so many since the last time, and at the end.
    mutating func report() -> Int64? {
        guard sent > reported, sent - reported >= Self.reportStep || isAtEnd || sent == body?.count else { return nil }
        reported = sent
        return sent
    }

    /// Checks, once all that was promised is sent, that the source has no more.
    func finish() throws(HTTPError) {
        guard let count = body?.count, let reader, sent == count, !isAtEnd, hasMore(reader) else { return }
        throw Self.wrongCount(of: count, isLonger: true)
    }

    /// Lets the source go; to be called at the end of the exchange, and safe to be called again.
    mutating func close() {
        reader?.close()
        reader = nil
    }

    private mutating func openReader() throws(HTTPError) {
        guard let source = body?.source else { return }
        let reader = try source.makeReader()
        self.reader = reader
        reader.open(onReady: onReady)
    }

    private mutating func readBytes(into room: UnsafeMutableRawBufferPointer) -> HTTPBodyRead {
        guard let data = body?.data else { return .end }
        let count = min(room.count, data.count - Int(sent))
        guard count > 0 else { return .end }
        let start = data.startIndex + Int(sent)
        data.copyBytes(to: room, from: start..<(start + count))
        sent += Int64(count)
        return .bytes(count)
    }

    private mutating func read(
        from reader: any HTTPBodyReader,
        into room: UnsafeMutableRawBufferPointer
    ) -> HTTPBodyRead {
        switch reader.readPlausibly(into: room) {
        case .bytes(let count):
            sent += Int64(count)
            guard let promised = body?.count else { return .bytes(count) }
            // Once the last byte is handed over, the server may act on it: whether more would come is asked before.
            let isLonger = sent > promised || (sent == promised && hasMore(reader))
            return isLonger ? .failed(Self.wrongCount(of: promised, isLonger: true)) : .bytes(count)
        case .end:
            guard let promised = body?.count, sent < promised else { return .end }
            return .failed(Self.wrongCount(of: promised, isLonger: false))
        case .wait: return .wait
        case .failed(let error): return .failed(error)
        }
    }

    private func hasMore(_ reader: any HTTPBodyReader) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { room in
            if case .bytes = reader.read(into: room) { true } else { false }
        }
    }

    private static func wrongCount(of promised: Int64, isLonger: Bool) -> HTTPError {
        .unreadableBody(reason: "the source has \(isLonger ? "more" : "fewer") than the \(promised) bytes it promised")
    }
}
