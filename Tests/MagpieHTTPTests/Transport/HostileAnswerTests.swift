import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Answers that are broken, contradict themselves or never end: a typed error in time, and the connection is not used
/// for another request.
@Suite(.timeLimit(.minutes(1)))
struct HostileAnswerTests {
    /// An answer as it goes over the wire, and what a caller has to see.
    struct Case: Sendable, CustomTestStringConvertible {
        /// What the server does after the text.
        enum Ending: Sendable {
            /// Closes.
            case cut
            /// Waits for the next request.
            case open
            /// Sends this for ever.
            case endless(String)
        }

        let name: String
        let text: String
        var ending = Ending.open
        let code: String

        var testDescription: String { name }
    }

    private static let head = "HTTP/1.1 200 OK\r\n"
    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let heads: [Case] = [
        Case(name: "cut in the status line", text: "HTTP/1.1 2", ending: .cut, code: "connection-lost"),
        Case(name: "cut after the status line", text: head, ending: .cut, code: "connection-lost"),
        Case(name: "cut in a field", text: head + "Content-Le", ending: .cut, code: "connection-lost"),
        Case(name: "cut after a field", text: head + "Content-Length: 3\r\n", ending: .cut, code: "connection-lost"),
        Case(name: "no version 0.9", text: "<html>hello</html>", ending: .cut, code: "malformed-response"),
        Case(name: "garbage", text: "\u{16}\u{3}\u{1}\u{0}\u{5}\r\n\r\n", ending: .cut, code: "malformed-response"),
        Case(
            name: "two status lines",
            text: head + "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
            code: "malformed-response"
        ),
        Case(name: "NUL in a field", text: head + "X-A: b\0c\r\nContent-Length: 0\r\n\r\n", code: "malformed-response"),
        Case(
            name: "space before a colon",
            text: head + "Content-Length : 3\r\n\r\nabc",
            code: "malformed-response"
        ),
        Case(name: "no colon", text: head + "Content-Length 3\r\n\r\nabc", code: "malformed-response"),
        Case(
            name: "folded length",
            text: head + "Content-Length: 1\r\n 0\r\n\r\n0123456789",
            code: "malformed-response"
        ),
        Case(
            name: "folded transfer coding",
            text: head + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
            code: "malformed-response"
        ),
        Case(
            name: "1 MB in one field",
            text: head + "X-A: \(String(repeating: "x", count: 1_000_000))\r\n\r\n",
            ending: .cut,
            code: "header-too-large"
        ),
        Case(
            name: "1 MB in many fields",
            text: head + String(repeating: "X-A: \(String(repeating: "x", count: 9000))\r\n", count: 110) + "\r\n",
            ending: .cut,
            code: "header-too-large"
        ),
        Case(
            name: "10 000 fields",
            text: head + String(repeating: "X: y\r\n", count: 10_000) + "Content-Length: 0\r\n\r\n",
            code: "too-many-header-fields"
        ),
        Case(name: "endless status line", text: "HTTP/1.1 200 ", ending: .endless("x"), code: "header-too-large"),
        Case(name: "endless first line", text: "", ending: .endless("x"), code: "malformed-response"),
        Case(name: "endless field", text: head + "X-A: ", ending: .endless("x"), code: "header-too-large"),
        Case(name: "endless fields", text: head, ending: .endless("X-A: b\r\n"), code: "too-many-header-fields"),
        Case(
            name: "endless interim answers",
            text: "",
            ending: .endless("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
            code: "malformed-response"
        ),
        Case(
            name: "unasked switch",
            text: "HTTP/1.1 101 Switching\r\n\r\nabc",
            ending: .cut,
            code: "malformed-response"
        ),
    ]

    static let lengths: [Case] = [
        Case(name: "two lengths", text: head + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", code: malformed),
        Case(name: "list of lengths", text: head + "Content-Length: 3, 4\r\n\r\nabcd", code: malformed),
        Case(name: "negative length", text: head + "Content-Length: -3\r\n\r\nabc", code: malformed),
        Case(name: "signed length", text: head + "Content-Length: +3\r\n\r\nabc", code: malformed),
        Case(name: "length with more", text: head + "Content-Length: 3abc\r\n\r\nabc", code: malformed),
        Case(name: "length in hexadecimal", text: head + "Content-Length: 0x3\r\n\r\nabc", code: malformed),
        Case(name: "empty length", text: head + "Content-Length:\r\n\r\nabc", code: malformed),
        Case(name: "bare CR in a length", text: head + "Content-Length: 3\r5\r\n\r\nabc", code: malformed),
        Case(
            name: "length beyond 64 bits",
            text: head + "Content-Length: 99999999999999999999\r\n\r\nabc",
            code: malformed
        ),
        Case(
            name: "length and chunks",
            text: head + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            code: malformed
        ),
        Case(name: "unasked coding", text: head + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", code: malformed),
        Case(name: "unknown coding", text: head + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", code: malformed),
        Case(
            name: "chunks in HTTP/1.0",
            text: "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            code: malformed
        ),
        Case(
            name: "cut in the body",
            text: head + "Content-Length: 9\r\n\r\nabc",
            ending: .cut,
            code: "body-too-short"
        ),
        Case(name: "stall in the body", text: head + "Content-Length: 9\r\n\r\nabc", code: "timed-out"),
        Case(name: "stall in the head", text: head, code: "timed-out"),
        Case(
            name: "endless body",
            text: head + "\r\n",
            ending: .endless(String(repeating: "x", count: 10_000)),
            code: "response-too-large"
        ),
    ]

    static let chunks: [Case] = [
        Case(name: "cut in a chunk", text: chunked + "5\r\nabc", ending: .cut, code: "body-too-short"),
        Case(name: "cut in a size", text: chunked + "5", ending: .cut, code: "body-too-short"),
        Case(name: "cut before the last chunk", text: chunked + "3\r\nabc\r\n", ending: .cut, code: "body-too-short"),
        Case(name: "cut before the end", text: chunked + "3\r\nabc\r\n0\r\n", ending: .cut, code: "body-too-short"),
        Case(name: "stall before the end", text: chunked + "3\r\nabc\r\n0\r\n", code: "timed-out"),
        Case(name: "no size", text: chunked + "\r\nabc\r\n0\r\n\r\n", code: malformed),
        Case(name: "negative size", text: chunked + "-3\r\nabc\r\n0\r\n\r\n", code: malformed),
        Case(name: "signed size", text: chunked + "+3\r\nabc\r\n0\r\n\r\n", code: malformed),
        Case(name: "size with 0x", text: chunked + "0x3\r\nabc\r\n0\r\n\r\n", code: malformed),
        Case(name: "size behind a space", text: chunked + " 3\r\nabc\r\n0\r\n\r\n", code: malformed),
        Case(name: "size with more", text: chunked + "3 abc\r\nabc\r\n0\r\n\r\n", code: malformed),
        Case(name: "size with a letter", text: chunked + "3g\r\nabc\r\n0\r\n\r\n", code: malformed),
        Case(name: "size without CR", text: chunked + "3\nabc\r\n0\r\n\r\n", code: malformed),
        Case(name: "size beyond 63 bits", text: chunked + "8000000000000000\r\nabc", code: malformed),
        Case(name: "size beyond 64 bits", text: chunked + "10000000000000003\r\nabc", code: malformed),
        Case(name: "longer than its size", text: chunked + "3\r\nabcdef\r\n0\r\n\r\n", code: malformed),
        Case(name: "endless size", text: chunked, ending: .endless("0"), code: malformed),
        Case(name: "endless extension", text: chunked + "3;", ending: .endless("x"), code: malformed),
        Case(
            name: "endless trailers",
            text: chunked + "0\r\n",
            ending: .endless("X-A: b\r\n"),
            code: "too-many-header-fields"
        ),
        Case(name: "endless trailer", text: chunked + "0\r\nX-A: ", ending: .endless("x"), code: malformed),
        Case(
            name: "endless chunks",
            text: chunked,
            ending: .endless("400\r\n\(String(repeating: "x", count: 1024))\r\n"),
            code: "response-too-large"
        ),
    ]

    private static let malformed = "malformed-response"

    @Test(arguments: heads + lengths + chunks)
    func isRefused(_ hostile: Case) async throws {
        let server = try FaultServer { connection, request in
            guard request.target == "/bad" else { return try connection.respond(text: "good") }
            try connection.send(hostile.text)
            switch hostile.ending {
            case .cut: throw FaultConnection.Closed()
            case .open: break
            case .endless(let more):
                let block = String(repeating: more, count: max(1, 8192 / more.utf8.count))
                while true { try connection.send(block) }
            }
        }
        let session = HTTPSession(
            configuration: .init(
                timeouts: .init(idle: .milliseconds(400), total: .seconds(5)),
                maximumResponseSize: 1_000_000
            )
        )
        let error = await #expect(throws: HTTPError.self) {
            try await session.data(for: HTTPRequest(url: server.url("/bad")))
        }
        #expect(error?.code == hostile.code, "\(error.map { "\($0)" } ?? "no error")")
        #expect(try await session.data(for: HTTPRequest(url: server.url("/good"))).text == "good")
        #expect(server.connectionCount == 2)
        #expect(await eventually { server.openConnectionCount == 1 })
    }

    /// What is odd, and has one meaning only, is taken.
    @Test(arguments: [
        "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", "Content-Length: 3, 3\r\n\r\nabc",
        "Content-Length: 003\r\n\r\nabc", "Transfer-Encoding: Chunked\r\n\r\n3  \r\nabc\r\n000\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2;a=b\r\nab\r\n1 ;\r\nc\r\n0\r\nX-A: b\r\n\r\n",
        "X-A: b\rc\r\nContent-Length: 3\r\n\r\nabc",
    ])
    func isTaken(_ text: String) async throws {
        let server = try FaultServer { connection, _ in try connection.send(Self.head + text) }
        let session = HTTPSession()
        for _ in 0..<2 {
            #expect(try await session.data(for: HTTPRequest(url: server.url())).text == "abc")
        }
        #expect(server.connectionCount == 1)
    }

    /// Bytes beyond the end of an answer cost the connection, so that they are not taken for the next answer.
    @Test(arguments: [
        "204 No Content\r\n\r\nevil", "204 No Content\r\nContent-Length: 4\r\n\r\nevil",
        "204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nevil\r\n0\r\n\r\n",
        "304 Not Modified\r\nContent-Length: 4\r\n\r\nevil", "200 OK\r\nContent-Length: 0\r\n\r\nevil",
        "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nevil",
    ])
    func whatFollowsAnAnswerIsNotTheNext(_ text: String) async throws {
        let server = try FaultServer { connection, request in
            if request.target == "/bad" {
                try connection.send("HTTP/1.1 " + text)
            } else {
                try connection.respond(text: "good")
            }
        }
        let session = HTTPSession()
        #expect(try await session.data(for: HTTPRequest(url: server.url("/bad"))).body.isEmpty)
        #expect(try await session.data(for: HTTPRequest(url: server.url("/good"))).text == "good")
        #expect(server.connectionCount == 2)
    }

    @Test func theBodyOfAHeadIsNotTheNextAnswer() async throws {
        let server = try FaultServer { connection, request in
            if request.method == "HEAD" {
                try connection.send(Self.head + "Content-Length: 4\r\n\r\nevil")
            } else {
                try connection.respond(text: "good")
            }
        }
        let session = HTTPSession(configuration: .init(maximumResponseSize: 3))
        // What the body would be too long for does not matter, since none is to come.
        let head = try await session.data(for: HTTPRequest(method: .head, url: server.url()))
        #expect(head.headerFields[.contentLength] == "4")
        await #expect(throws: HTTPError.responseTooLarge(limit: 3)) {
            try await session.data(for: HTTPRequest(url: server.url()))
        }
        #expect(server.connectionCount == 2)
    }

    /// A whole answer that nobody asked for waits on the connection when the next request is made.
    @Test func whatComesUnaskedIsNotTheNextAnswer() async throws {
        let isAnswered = TestGate()
        let isSent = TestGate()
        let server = try FaultServer { connection, request in
            try connection.respond(text: request.target)
            guard request.target == "/first" else { return }
            isAnswered.block()
            try connection.respond(text: "evil")
            isSent.open()
        }
        let session = HTTPSession()
        #expect(try await session.data(for: HTTPRequest(url: server.url("/first"))).text == "/first")
        isAnswered.open()
        await isSent.pass()
        for number in 2..<5 {
            #expect(try await session.data(for: HTTPRequest(url: server.url("/\(number)"))).text == "/\(number)")
        }
        #expect(server.connectionCount == 2)
    }
}
