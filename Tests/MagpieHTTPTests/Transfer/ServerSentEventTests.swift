import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Events that a server pushes (WHATWG HTML §9.2).
@Suite(.timeLimit(.minutes(1)))
struct ServerSentEventTests {
    private static let type = "Content-Type: text/event-stream"

    /// The events of a stream that ends, after which the server says that there are no more.
    private func events(_ text: String) async throws -> [HTTPServerSentEvent] {
        let isFirst = Lock(true)
        let server = try FaultServer { connection, _ in
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isFirst else { return try connection.respond("204 No Content", fields: []) }
            try connection.respond(fields: [Self.type], text: text)
        }
        var events: [HTTPServerSentEvent] = []
        let request = HTTPRequest(url: server.url())
        for try await event in HTTPSession().serverSentEvents(for: request, clock: TestClock()) {
            events.append(event)
        }
        return events
    }

    @Test(arguments: [
        // The examples of the standard.
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [HTTPServerSentEvent(data: "YHOO\n+2\n10")]),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [
                HTTPServerSentEvent(data: "first event", lastEventID: "1"), HTTPServerSentEvent(data: "second event"),
                HTTPServerSentEvent(data: " third event"),
            ]
        ),
        ("data\n\ndata\ndata\n\ndata:", [HTTPServerSentEvent(data: ""), HTTPServerSentEvent(data: "\n")]),
        ("data:test\n\ndata: test\n\n", [HTTPServerSentEvent(data: "test"), HTTPServerSentEvent(data: "test")]),
        // Types, unknown fields, line ends of all kinds, a byte order mark, an event that is cut off.
        (
            "\u{FEFF}event: add\r\ndata: 7\r\r\nfoo: bar\ndata: 8\n\n",
            [HTTPServerSentEvent(type: "add", data: "7"), HTTPServerSentEvent(data: "8")]
        ),
        ("event: add\n\ndata: 1\n\n", [HTTPServerSentEvent(data: "1")]),
        ("id: a\0b\ndata: 1\n\n", [HTTPServerSentEvent(data: "1")]),
        ("data: whole\n\ndata: half\n", [HTTPServerSentEvent(data: "whole")]),
        ("Data: no\n data: no\ndata : no\n\n", []),
    ])
    func streams(_ text: String, _ expected: [HTTPServerSentEvent]) async throws {
        #expect(try await events(text) == expected)
    }

    @Test func anEndedConnectionIsFollowedByAnother() async throws {
        let answers = Lock([
            "retry: 50\nid: 7\ndata: one\n\nid: 8\ndata: unfinished\n", "retry: x\n\n", "", "data: two\n\n",
        ])
        let server = try FaultServer { connection, _ in
            let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let answer else { return try connection.respond("204 No Content", fields: []) }
            try connection.respond(fields: [Self.type], text: answer)
        }
        let clock = TestClock()
        var data: [String] = []
        for try await event in HTTPSession().serverSentEvents(for: HTTPRequest(url: server.url()), clock: clock) {
            data.append(event.data)
            #expect(event.lastEventID == "7")
        }
        #expect(data == ["one", "two"])
        #expect(server.requests.map { $0.field("Last-Event-ID") } == [nil, "7", "7", "7", "7"])
        #expect(server.requests.allSatisfy { $0.field("Accept") == "text/event-stream" })
        // Longer each time that nothing came.
        #expect(clock.sleeps == [50, 100, 200, 50].map { .milliseconds($0) })
    }

    @Test func aLostConnectionIsFollowedByAnotherWithinLimits() async throws {
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: [Self.type, "Content-Length: 1000"])
            throw FaultConnection.Closed()
        }
        let clock = TestClock()
        var source = HTTPSession().serverSentEvents(for: HTTPRequest(url: server.url()), clock: clock)
        source.reconnectionLimit = 6
        source.lastEventID = "é"
        var events = source.makeAsyncIterator()
        do {
            _ = try await events.next()
            Issue.record("no error")
        } catch { #expect(error.code == "body-too-short") }
        #expect(server.requests.count == 7)
        #expect(server.requests.last?.field("Last-Event-ID") == "é")
        #expect(clock.sleeps == [6, 12, 24, 48, 60, 60].map { .seconds($0) })
        #expect(try await events.next() == nil)
    }

    @Test func whatIsNoEventStreamFails() async throws {
        for (status, type, code) in [
            ("200 OK", "text/html", "unacceptable-content-type"),
            ("500 Oops", "text/event-stream", "unacceptable-status"),
            ("200 OK", "text/event-streams", "unacceptable-content-type"),
        ] {
            let server = try FaultServer { connection, _ in
                try connection.respond(status, fields: ["Content-Type: \(type)"], text: "data: x\n\n")
            }
            do {
                for try await _ in try HTTPSession(baseURL: server.url()).serverSentEvents(from: "events") {
                    Issue.record("an event")
                }
                Issue.record("no error")
            } catch { #expect(error.code == code) }
            #expect(server.requests.count == 1)
        }
    }

    @Test func theFirstConnectionIsTriedOnce() async throws {
        let port = try DeafListener.refusingPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        await #expect(throws: HTTPError.connectionRefused(host: "127.0.0.1", port: port)) {
            for try await _ in HTTPSession().serverSentEvents(for: HTTPRequest(url: url)) {}
        }
    }

    @Test func cancellingEndsTheConnection() async throws {
        let (received, closed) = (TestGate(), TestGate())
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: [Self.type])
            try connection.send("data: x\n\n")
            if connection.waitForPeerToClose() { closed.open() }
        }
        let reader = Task {
            for try await _ in HTTPSession().serverSentEvents(for: HTTPRequest(url: server.url())) { received.open() }
        }
        await received.pass()
        reader.cancel()
        await closed.pass()
        await #expect(throws: HTTPError.cancelled) { try await reader.value }
    }

    @Test func anEndlessEventIsNotKept() async throws {
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: [Self.type])
            while true { try connection.send("data: \(String(repeating: "x", count: 100_000))\n") }
        }
        await #expect(throws: HTTPError.lineTooLong(limit: 1 << 20)) {
            for try await _ in HTTPSession().serverSentEvents(for: HTTPRequest(url: server.url())) {}
        }
    }

    /// The time is by the length, not by its square.
    @Test func anEventOfVeryManyLines() async throws {
        let events = try await events(String(repeating: "data:\n", count: 100_000) + "\n")
        #expect(events.map(\.data.utf8.count) == [99_999])
    }
}
