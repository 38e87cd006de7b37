import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Texts that are read line by line, however they are cut on the way.
@Suite(.timeLimit(.minutes(1)))
struct LineTests {
    /// Chunks as they come from a connection.
    private struct Chunks: AsyncSequence, Sendable {
        typealias Element = Data
        let chunks: [Data]

        struct Iterator: AsyncIteratorProtocol {
            var rest: ArraySlice<Data>
            mutating func next(isolation actor: isolated (any Actor)?) async throws(HTTPError) -> Data? {
                rest.popFirst()
            }
            mutating func next() async throws(HTTPError) -> Data? { rest.popFirst() }
        }

        func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...]) }
    }

    private func lines(_ bytes: [UInt8], cutEvery size: Int, limit: Int = 100) async throws -> [String] {
        let chunks = stride(from: 0, to: bytes.count, by: size).map { Data(bytes[$0..<min($0 + size, bytes.count)]) }
        var lines: [String] = []
        for try await line in Chunks(chunks: chunks).lines(limit: limit) { lines.append(line) }
        return lines
    }

    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]),
        ("a\r\nb\rc\n\n\r\r\nd", ["a", "b", "c", "", "", "", "d"]),
        ("\n", [""]), ("\r\n", [""]), ("é€😀\r\nü", ["é€😀", "ü"]), ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"]),
    ])
    func cutAnywhereTheLinesAreTheSame(_ text: String, _ expected: [String]) async throws {
        for size in 1...4 { #expect(try await lines(Array(text.utf8), cutEvery: size) == expected) }
    }

    @Test func whatIsNoUTF8IsRepaired() async throws {
        #expect(try await lines([0x61, 0xFF, 0x0A, 0xC3], cutEvery: 1) == ["a\u{FFFD}", "\u{FFFD}"])
    }

    @Test func aLineWithoutEndIsNotKept() async throws {
        for size in [1, 200] {
            #expect(try await lines(Array(repeating: 0x61, count: 100), cutEvery: size).count == 1)
            await #expect(throws: HTTPError.lineTooLong(limit: 100)) {
                _ = try await lines(Array(repeating: 0x61, count: 101), cutEvery: size)
            }
        }
    }

    @Test func aSessionStreamsLines() async throws {
        let server = try FaultServer { connection, request in
            try connection.respond(request.target == "/v1/events" ? "200 OK" : "404 Not Found", text: "one\ntwo\n")
        }
        let api = HTTPSession(baseURL: server.url("/v1/"))
        var lines: [String] = []
        for try await line in api.stream("events").lines { lines.append(line) }
        #expect(lines == ["one", "two"])
        var bytes: [UInt8] = []
        for try await byte in api.stream("events").bytes { bytes.append(byte) }
        #expect(bytes == Array("one\ntwo\n".utf8))
        do {
            for try await _ in api.stream("nothing") { Issue.record("a body of a 404") }
            Issue.record("no error")
        } catch { #expect(error.code == "unacceptable-status") }
    }

    @Test func linesComeAsTheyAreSent() async throws {
        let gate = TestGate()
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Content-Length: 8"])
            try connection.send("one\nt")
            gate.block()
            try connection.send("wo\n")
        }
        var lines = HTTPSession(baseURL: server.url()).stream("events").lines.makeAsyncIterator()
        #expect(try await lines.next() == "one")
        gate.open()
        #expect(try await lines.next() == "two")
        #expect(try await lines.next() == nil)
    }
}
