import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Bodies that arrive compressed: whole, cut off, spoiled, and larger than anybody can want.
@Suite(.timeLimit(.minutes(1)))
struct DecodingTests {
    /// A text in the encodings that servers use.
    static let text = (0..<40).map { "magpie \($0)\n" }.joined()

    static let encoded: [(coding: String, base64: String)] = [
        (
            "gzip",
            """
            H4sIAAAAAAACA0XQuw2AQBAD0ZwqKAHbfMshQIjgJPqPCNDOZRP5rbad9/tc4zS0P1ThilTMFUvFWrFV7BUHg32abTEu1sW82BeAEAQh\
            DGO4349hDGMYwxjGMIYxghGM9CdhBCMYwQhGMHIMH7fhy7qGAQAA
            """
        ),
        (
            "deflate",
            """
            eNpF0LsNgEAQA9GcKigB23zLIUCI4CT6jwjQzmUT+a22nff7XOM0tD9U4YpUzBVLxVqxVewVB4N9mm0xLtbFvNgXgBAEIQxjuN+PYQxjGMMY\
            xjCGMYIRjPQnYQQjGMEIRjByDB+hlHaZ
            """
        ),
        (
            "deflate",
            """
            RdC7DYBAEAPRnCooAdt8yyFAiOAk+o8I0M5lE/mttp33+1zjNLQ/VOGKVMwVS8VasVXsFQeDfZptMS7WxbzYF4AQBCEMY7jfj2EMYxjDGMYw\
            hjGCEYz0J2EEIxjBCEYwcgwf
            """
        ),
        ("br", "G4UB+B0JNk7yue8V67C0NjhuMPZ9i7ISpOwMZXBgHwbqSUZVAQz8eIMaUy5103b9EZBYtLGuHwGJRRvr+jGQWLSxbr8A"),
        (
            "zstd",
            """
            KLUv/WSGAG0CAPJEDQ/A6zBu9W+3LaWUKbGKc25gXDyPv9t/v68PC6fRZ/Nt1+VR0Sz2an3dtjpE4tldUKGcZAgKJ6gQQL4d8NUQRvzd3W7Z\
            T6qlCFIK9tn74A==
            """
        ),
    ]

    /// A million zeros in a kilobyte of gzip.
    static let gzipOfZeros =
        data("H4sIAAAAAAACA+3BAQEAAACCIP+vbkhAAQ==") + Data(count: 968) + data("rwaey3kSQEIPAA==")

    private static func data(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }

    private func load(
        _ body: Data,
        coding: String,
        configuration: HTTPSession.Configuration = .init()
    ) async throws(HTTPError) -> HTTPDataResponse {
        guard
            let server = try? FaultServer({ connection, _ in
                try connection.respond(fields: ["Content-Encoding: \(coding)"], body: body)
            })
        else { throw .cancelled }
        return try await HTTPSession(configuration: configuration).data(for: HTTPRequest(url: server.url()))
    }

    @Test(arguments: encoded)
    func isUndone(coding: String, base64: String) async throws {
        let body = Self.data(base64)
        let answer = try await load(body, coding: coding)
        #expect(answer.text == Self.text)
        #expect(answer.metrics.bytesReceived == Int64(body.count))
    }

    @Test(arguments: encoded)
    func mustBeWhole(coding: String, base64: String) async throws {
        let body = Self.data(base64)
        for count in [1, 5, body.count / 2, body.count - 1] {
            let error = await #expect(throws: HTTPError.self) { try await load(body.prefix(count), coding: coding) }
            #expect(error?.code == "undecodable-body", "\(count) bytes")
        }
    }

    @Test(arguments: encoded)
    func mustBeValid(coding: String, base64: String) async throws {
        let body = Self.data(base64)
        for spoiled in [Data("this is nothing of the kind".utf8), body + Data("and more".utf8)] {
            let error = await #expect(throws: HTTPError.self) { try await load(spoiled, coding: coding) }
            #expect(error?.code == "undecodable-body")
        }
    }

    @Test func severalPartsAndSeveralCodings() async throws {
        let gzip = Self.data(Self.encoded[0].base64)
        #expect(try await load(gzip + gzip, coding: "gzip").text == Self.text + Self.text)
        let zstd = Self.data(Self.encoded[4].base64)
        #expect(try await load(zstd + zstd, coding: "zstd").text == Self.text + Self.text)
        #expect(try await load(gzip, coding: "identity, X-GZIP").text == Self.text)
        #expect(try await load(Data(), coding: "gzip").body.isEmpty)
        let unknown = await #expect(throws: HTTPError.self) { try await load(gzip, coding: "gzip, rot13") }
        #expect(unknown?.code == "undecodable-body")
    }

    /// 16 MB in 27 bytes: the limit counts what comes out.
    @Test func aBombIsStoppedAtTheLimit() async throws {
        let limited = HTTPSession.Configuration(maximumResponseSize: 100_000)
        let brotli = Self.data("y///P/gnAOKxQCD3/i//R+jwTwDEYRGA7gYd")
        #expect(try await load(brotli, coding: "br").body.count == 16_000_000)
        await #expect(throws: HTTPError.responseTooLarge(limit: 100_000)) {
            try await load(brotli, coding: "br", configuration: limited)
        }
        let gzip = (0..<30).reduce(into: Data()) { data, _ in data += Self.gzipOfZeros }
        #expect(try await load(gzip, coding: "gzip").body.count == 30_000_000)
        await #expect(throws: HTTPError.responseTooLarge(limit: 100_000)) {
            try await load(gzip, coding: "gzip", configuration: limited)
        }
    }

    /// A paused receiver gets no more than a piece, however much the bytes that came already stand for.
    @Test func aBombWaitsWithAPausedReceiver() async throws {
        let brotli = Self.data("y///P/gnAOKxQCD3/i//R+jwTwDEYRGA7gYd")
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Content-Encoding: br"], body: brotli)
        }
        let delegate = RecordingDelegate(flow: .pause)
        let task = HTTPSession().task(with: HTTPRequest(url: server.url()), delegate: delegate)
        await delegate.firstChunk.pass()
        #expect(delegate.current.received <= 64 * 1024)
        #expect(!delegate.end.isOpen)
        #expect(
            await eventually {
                task.resume()
                return delegate.end.isOpen
            }
        )
        #expect(delegate.error == nil)
        #expect(delegate.current.received == 16_000_000)
    }

    @Test func whatWasNotAskedForIsLeftAsItIs() async throws {
        let gzip = Self.data(Self.encoded[0].base64)
        #expect(try await load(gzip, coding: "gzip", configuration: .init(decompresses: false)).body == gzip)
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Content-Encoding: gzip"], body: gzip)
        }
        let session = HTTPSession()
        _ = try await session.data(for: HTTPRequest(url: server.url()))
        #expect(server.requests.last?.field("Accept-Encoding") == "gzip, deflate, br, zstd")
        let own = HTTPRequest(url: server.url(), headerFields: [.acceptEncoding: "gzip"])
        #expect(try await session.data(for: own).body == gzip)
        #expect(server.requests.last?.field("Accept-Encoding") == "gzip")
        _ = try await session.data(for: HTTPRequest(method: .head, url: server.url()))
    }
}
