import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Downloads that go on where an earlier request ended (RFC 9110 §14), and never join what does not belong together.
@Suite(.timeLimit(.minutes(1)))
struct ResumeTests {
    let folder: TemporaryFolder
    let file: URL
    let body = TestBytes.pattern(count: 300_000)

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appending(path: "backup.tar")
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []).sorted()
    }

    private var once: HTTPDownloadOptions { HTTPDownloadOptions(continuationLimit: 0) }

    /// Loads the first bytes and loses the connection for good.
    private func loadPart(_ server: RangeServer, count: Int = 100_000) async throws {
        server.change { $0.cuts = [count] }
        await #expect(throws: HTTPError.self) {
            try await HTTPSession().download(HTTPRequest(url: server.url), to: file, resuming: true, options: once)
        }
        #expect(names == ["backup.tar.part", "backup.tar.part.json"])
    }

    @Test func aLostConnectionIsFollowedByAnother() async throws {
        let server = try RangeServer(.init(body: body, cuts: [100_000, 100_000]))
        let done = try await HTTPSession().download(HTTPRequest(url: server.url), to: file)
        #expect(try Data(contentsOf: file) == body)
        #expect(server.ranges == ["", "bytes=100000-", "bytes=200000-"])
        #expect(server.server.requests.last?.field("If-Range") == "\"1\"")
        #expect(server.server.requests.last?.field("Accept-Encoding") == "identity")
        #expect(done.continuationCount == 2)
        #expect(done.status == .partialContent)
        #expect(names == ["backup.tar"])
    }

    @Test func theNumberOfContinuationsIsLimited() async throws {
        let server = try RangeServer(.init(body: body, cuts: Array(repeating: 10_000, count: 10)))
        await #expect(throws: HTTPError.bodyTooShort(received: 10_000, expected: 270_000)) {
            try await HTTPSession()
                .download(HTTPRequest(url: server.url), to: file, options: .init(continuationLimit: 3))
        }
        #expect(server.ranges.count == 4)
        #expect(names.isEmpty)
    }

    @Test func withoutAStrongValidatorNothingIsJoined() async throws {
        for tag in ["W/\"1\"", nil] {
            let server = try RangeServer(.init(body: body, entityTag: tag, cuts: [100_000]))
            await #expect(throws: HTTPError.self) {
                try await HTTPSession().download(HTTPRequest(url: server.url), to: file, resuming: true)
            }
            #expect(server.ranges == [""])
            #expect(names.isEmpty)
        }
    }

    @Test func aDateIsAValidatorWhereItIsOldEnough() async throws {
        for (date, isStrong) in [("Mon, 01 Jan 2024 10:02:00 GMT", true), ("Mon, 01 Jan 2024 10:00:10 GMT", false)] {
            let fields = ["Last-Modified: Mon, 01 Jan 2024 10:00:00 GMT", "Date: \(date)"]
            let server = try RangeServer(.init(body: body, entityTag: nil, fields: fields, cuts: [100_000]))
            _ = try? await HTTPSession().download(HTTPRequest(url: server.url), to: file)
            #expect(server.ranges.count == (isStrong ? 2 : 1))
            let condition = server.server.requests.last?.field("If-Range")
            #expect(condition == (isStrong ? "Mon, 01 Jan 2024 10:00:00 GMT" : nil))
        }
    }

    @Test func theNextDownloadGoesOn() async throws {
        let server = try RangeServer(.init(body: body))
        try await loadPart(server)
        let reports = Recorder<HTTPProgress>()
        let done = try await HTTPSession()
            .download(HTTPRequest(url: server.url), to: file, resuming: true, progress: { reports.record($0) })
        #expect(try Data(contentsOf: file) == body)
        #expect(server.ranges == ["", "bytes=100000-"])
        #expect(done.resumedByteCount == 100_000)
        #expect(reports.elements.first?.completed ?? 0 >= 100_000)
        #expect(reports.elements.last?.fraction == 1)
        #expect(names == ["backup.tar"])
    }

    /// A process that is killed has written more than it noted last.
    @Test func bytesBeyondTheNoteAreUsed() async throws {
        let server = try RangeServer(.init(body: body))
        try await loadPart(server)
        let partial = folder.url.appending(path: "backup.tar.part")
        try body.prefix(150_000).write(to: partial)
        try await HTTPSession().download(HTTPRequest(url: server.url), to: file, resuming: true)
        #expect(server.ranges.last == "bytes=150000-")
        #expect(try Data(contentsOf: file) == body)
    }

    @Test func aResourceThatChangedIsLoadedAnew() async throws {
        let server = try RangeServer(.init(body: body))
        try await loadPart(server)
        let changed = TestBytes.pattern(count: 200_001)
        server.change {
            $0.body = changed
            $0.entityTag = "\"2\""
        }
        let done = try await HTTPSession().download(HTTPRequest(url: server.url), to: file, resuming: true)
        #expect(try Data(contentsOf: file) == changed)
        #expect(done.resumedByteCount == 0)
        #expect(server.ranges.count == 2)
        #expect(names == ["backup.tar"])
    }

    /// A server that keeps the tag and changes the bytes is found out by a digest.
    @Test func aJoinThatTheDigestRefutesIsLoadedAnew() async throws {
        let server = try RangeServer(.init(body: body))
        try await loadPart(server)
        // SHA-256 of 300 000 zeros.
        let digest = "Repr-Digest: sha-256=:iGcV5AUegn9P4hXfMFOvP4WtDTUtssgpx0h69teO/jA=:"
        server.change {
            $0.body = Data(count: 300_000)
            $0.fields = [digest]
        }
        try await HTTPSession().download(HTTPRequest(url: server.url), to: file, resuming: true)
        #expect(server.ranges == ["", "bytes=100000-", ""])
        #expect(try Data(contentsOf: file) == Data(count: 300_000))
    }

    @Test func damagedPartsAreNotUsed() async throws {
        let partial = folder.url.appending(path: "backup.tar.part")
        let note = folder.url.appending(path: "backup.tar.part.json")
        let damages: [() throws -> Void] = [
            { try Data("{".utf8).write(to: note) }, { try FileManager.default.removeItem(at: note) },
            { try Data("short".utf8).write(to: partial) }, { try Data(count: 400_000).write(to: partial) },
            { try Data().write(to: partial) },
        ]
        for damage in damages {
            let server = try RangeServer(.init(body: body))
            try await loadPart(server)
            try damage()
            try await HTTPSession().download(HTTPRequest(url: server.url), to: file, resuming: true)
            #expect(server.ranges == ["", ""])
            #expect(try Data(contentsOf: file) == body)
            #expect(names == ["backup.tar"])
            try FileManager.default.removeItem(at: file)
        }
    }

    @Test func aPartThatIsTheWholeIsDone() async throws {
        let server = try RangeServer(.init(body: body))
        try await loadPart(server)
        try body.write(to: folder.url.appending(path: "backup.tar.part"))
        let done = try await HTTPSession().download(HTTPRequest(url: server.url), to: file, resuming: true)
        #expect(server.ranges == ["", "bytes=300000-"])
        #expect(done.resumedByteCount == 300_000)
        #expect(try Data(contentsOf: file) == body)
        #expect(names == ["backup.tar"])
    }

    /// Answers to a request for the rest that must not be joined; the next request is for the whole.
    @Test(arguments: [
        ["Content-Range: bytes 100001-299999/300000"], ["Content-Range: bytes 100000-299999/300001"],
        ["Content-Range: bytes 100000-199999/300000"], ["Content-Range: lines 100000-299999/300000"], [],
        ["Content-Range: bytes 100000-299999/*"], ["Content-Range: bytes -1-299999/300000"],
        ["Content-Range: bytes 100000-299999/300000", "ETag: \"2\""],
        ["Content-Range: bytes 100000-299999/300000", "Content-Encoding: br"],
        ["Content-Type: multipart/byteranges; boundary=x"],
    ])
    func answersThatDoNotFit(_ fields: [String]) async throws {
        let body = body
        let server = try FaultServer { connection, request in
            if request.field("Range") != nil {
                try connection.respond("206 Partial Content", fields: fields, body: Data(count: 200_000))
            } else if request.target == "/cut" {
                try connection.respond(fields: ["ETag: \"1\"", "Content-Length: \(body.count)"])
                try connection.send(Data(body.prefix(100_000)))
                throw FaultConnection.Closed()
            } else {
                try connection.respond(body: body)
            }
        }
        let cut = HTTPRequest(url: server.url("/cut"))
        _ = try? await HTTPSession().download(cut, to: file, resuming: true, options: once)
        #expect(names.count == 2)
        // The same part, for an address whose whole can be had.
        let note = folder.url.appending(path: "backup.tar.part.json")
        let text = try String(contentsOf: note, encoding: .utf8).replacing("cut", with: "file")
        try text.write(to: note, atomically: true, encoding: .utf8)
        try await HTTPSession().download(HTTPRequest(url: server.url("/file")), to: file, resuming: true)
        #expect(server.requests.map { $0.field("Range") } == [nil, "bytes=100000-", nil])
        #expect(try Data(contentsOf: file) == body)
    }

    @Test func resumeDataLeadsFromATaskToAnother() async throws {
        let stalling = try FaultServer { connection, _ in
            try connection.respond(fields: ["ETag: \"1\"", "Content-Length: 300000"])
            try connection.send(Data(count: 1000))
            _ = connection.waitForPeerToClose()
        }
        let (started, ended) = (TestGate(), TestGate())
        let kept = Recorder<HTTPResumeData?>()
        let task = HTTPSession()
            .download(
                HTTPRequest(url: stalling.url()),
                to: file,
                progress: { if $0.completed == 1000 { started.open() } },
                completion: { _ in ended.open() }
            )
        await started.pass()
        task.cancel { kept.record($0) }
        await ended.pass()
        let resumeData = try #require(kept.elements.first ?? nil)
        #expect(resumeData.byteCount == 1000)
        #expect(resumeData.expectedByteCount == 300_000)
        #expect(try HTTPResumeData(data: resumeData.data) == resumeData)
        #expect(FileManager.default.fileExists(atPath: resumeData.partialFile))
        task.cancel { kept.record($0) }
        #expect(kept.elements.count == 2)
    }

    @Test func resumeDataIsUsedWithTheRequestsOwnFields() async throws {
        let server = try RangeServer(.init(body: body))
        try await loadPart(server)
        let resumeData = try HTTPResumeData(contentsOf: folder.url.appending(path: "backup.tar.part.json"))
        let request = HTTPRequest(url: resumeData.url, headerFields: [.authorization: "Bearer t"])
        let other = folder.url.appending(path: "other.tar")
        let done = try await HTTPSession().download(resumingWith: resumeData, for: request, to: other)
        #expect(done.resumedByteCount == 100_000)
        #expect(server.requests.last?.field("Authorization") == "Bearer t")
    }

    @Test func resumeDataIsUsed() async throws {
        let server = try RangeServer(.init(body: body))
        try await loadPart(server)
        let resumeData = try HTTPResumeData(contentsOf: folder.url.appending(path: "backup.tar.part.json"))
        let other = folder.url.appending(path: "other.tar")
        let done = try await HTTPSession().download(resumingWith: resumeData, to: other)
        #expect(done.resumedByteCount == 100_000)
        #expect(try Data(contentsOf: other) == body)
        #expect(names == ["other.tar"])
    }

    @Test func twoDownloadsDoNotWriteOnePart() async throws {
        let (started, gate) = (TestGate(), TestGate())
        let body = body
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["ETag: \"1\"", "Content-Length: \(body.count)"])
            started.open()
            gate.block()
            try connection.send(body)
        }
        let file = file
        let request = HTTPRequest(url: server.url())
        async let first = HTTPSession().download(request, to: file, resuming: true)
        await started.pass()
        do {
            try await HTTPSession().download(request, to: file, resuming: true)
            Issue.record("both wrote")
        } catch { #expect(error.code == "cannot-write-file") }
        gate.open()
        #expect(try await first.byteCount == 300_000)
        #expect(try Data(contentsOf: file) == body)
    }

    /// All requests of a download together stay inside its total time-out.
    @Test func theTotalTimeOutIsForAllRequests() async throws {
        let server = try FaultServer { connection, request in
            let isFirst = request.field("Range") == nil
            try connection.respond(
                isFirst ? "200 OK" : "206 Partial Content",
                fields: ["ETag: \"1\"", "Content-Range: bytes 10-99/100", "Content-Length: \(isFirst ? 100 : 90)"]
            )
            if isFirst {
                try connection.send("0123456789")
                throw FaultConnection.Closed()
            }
            _ = connection.waitForPeerToClose()
        }
        var request = HTTPRequest(url: server.url())
        request.timeouts = HTTPTimeouts(total: .milliseconds(300))
        await #expect(throws: HTTPError.timedOut(stage: .total, after: .milliseconds(300))) {
            try await HTTPSession().download(request, to: file)
        }
        #expect(server.requests.count == 2)
    }

    @Test(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"))
    func nginxGoesOn() async throws {
        let server = try await NginxServer.shared()
        let body = body.prefix(100_000)
        try body.write(to: server.root.appending(path: "resume.bin"))
        let slow = HTTPRequest(url: server.url("/slow/resume.bin"))
        let ended = TestGate()
        let running = Lock<HTTPDownloadTask?>(nil)
        let task = HTTPSession()
            .download(
                slow,
                to: file,
                resuming: true,
                progress: { if $0.completed > 0 { running.withLock { $0 }?.cancel() } },
                completion: { _ in ended.open() }
            )
        running.withLock { $0 = task }
        await ended.pass()
        #expect(names == ["backup.tar.part", "backup.tar.part.json"])
        let done = try await HTTPSession().download(slow, to: file, resuming: true)
        #expect(done.status == .partialContent)
        #expect(try Data(contentsOf: file) == body)
    }

    /// What is noted beside a partial file may come from anybody who can write there.
    @Test func theNoteNamesNoOtherFile() async throws {
        let server = try RangeServer(.init(body: body))
        try await loadPart(server)
        let note = folder.url.appending(path: "backup.tar.part.json")
        let other = try folder.write(Data("other".utf8), to: "other")
        var values = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: note)) as? [String: Any])
        values["partialFile"] = other.path
        try JSONSerialization.data(withJSONObject: values).write(to: note)
        server.change { $0.cuts = [10_000] }
        await #expect(throws: HTTPError.self) {
            try await HTTPSession().download(HTTPRequest(url: server.url), to: file, resuming: true, options: once)
        }
        #expect(names == ["backup.tar.part", "backup.tar.part.json", "other"])
        #expect(try Data(contentsOf: other) == Data("other".utf8))
    }
}
