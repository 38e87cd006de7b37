import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Downloads into files: whole or not at all.
@Suite(.timeLimit(.minutes(1)))
struct DownloadTests {
    let folder: TemporaryFolder
    let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appending(path: "backup.tar")
    }

    /// The names in the folder.
    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []).sorted()
    }

    @Test func theFileHoldsTheBody() async throws {
        let data = TestBytes.pattern(count: 5_000_000)
        let server = try FaultServer { connection, _ in try connection.respond(body: data) }
        let session = HTTPSession(baseURL: server.url())
        let done = try await session.download("backup.tar", to: file)
        #expect(try Data(contentsOf: file) == data)
        #expect(done.file == file)
        #expect(done.byteCount == 5_000_000)
        #expect(done.status == .ok)
        #expect(done.metrics.bytesReceived == 5_000_000)
        #expect(names == ["backup.tar"])
    }

    @Test("AFNetworking 26: the progress of a download reaches exactly 1")
    func progress() async throws {
        let data = Data(count: 3_000_000)
        let server = try FaultServer { connection, _ in try connection.respond(body: data) }
        let reports = Recorder<HTTPProgress>()
        try await HTTPSession().download(HTTPRequest(url: server.url()), to: file, progress: { reports.record($0) })
        let fractions = reports.elements.compactMap(\.fraction)
        #expect(fractions.last == 1)
        #expect(fractions == fractions.sorted())
    }

    /// The disk holds the network back, and is not overrun.
    @Test func aSlowWriterPausesTheTransfer() async throws {
        let data = TestBytes.pattern(count: 60_000_000)
        let server = try FaultServer { connection, _ in try connection.respond(body: data) }
        let gate = TestGate()
        let session = HTTPSession()
        let file = file
        let task = session.download(
            HTTPRequest(url: server.url()),
            destination: { _ in
                gate.block()
                return file
            },
            completion: { _ in }
        )
        #expect(await eventually { session.tasks.first?.state == .paused })
        #expect(session.tasks.first?.progress.completed ?? 0 < 8 << 20)
        gate.open()
        #expect(await eventually { task.result != nil })
        #expect(try Data(contentsOf: file) == data)
    }

    @Test func anEmptyBodyIsAnEmptyFile() async throws {
        let server = try FaultServer { connection, _ in try connection.respond() }
        let reports = Recorder<HTTPProgress>()
        try await HTTPSession().download(HTTPRequest(url: server.url()), to: file, progress: { reports.record($0) })
        #expect(try Data(contentsOf: file).isEmpty)
        #expect(reports.elements.last?.fraction == 1)
    }

    @Test func aFileGetsTheModeOfNewFiles() async throws {
        let server = try FaultServer { connection, _ in try connection.respond(text: "x") }
        try await HTTPSession().download(HTTPRequest(url: server.url()), to: file)
        let other = folder.url.appending(path: "other")
        #expect(FileManager.default.createFile(atPath: other.path, contents: nil))
        #expect(try mode(file) == mode(other))
    }

    private func mode(_ file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    /// AFNetworking moves the file in spite of the status; an error page in place of a backup helps nobody.
    @Test func aStatusThatIsNoneOfTheWantedWritesNothing() async throws {
        try Data("old".utf8).write(to: file)
        let server = try FaultServer { connection, _ in try connection.respond("404 Not Found", text: "no such file") }
        do {
            try await HTTPSession().download(HTTPRequest(url: server.url()), to: file)
            Issue.record("no error")
        } catch {
            guard case .unacceptableStatus(let response, let body) = error else { throw error }
            #expect(response.status == .notFound)
            #expect(body == Data("no such file".utf8))
        }
        #expect(try Data(contentsOf: file) == Data("old".utf8))
        #expect(names == ["backup.tar"])
    }

    @Test func anEndlessErrorPageIsLeft() async throws {
        let server = try FaultServer { connection, _ in
            try connection.respond("500 Internal Server Error", fields: [])
            while true { try connection.send(Data(count: 10_000)) }
        }
        do {
            try await HTTPSession().download(HTTPRequest(url: server.url()), to: file)
            Issue.record("no error")
        } catch { #expect(error.code == "unacceptable-status") }
    }

    @Test func otherStatusesCanBeWanted() async throws {
        let server = try FaultServer { connection, _ in try connection.respond("404 Not Found", text: "page") }
        let options = HTTPDownloadOptions(acceptableStatusCodes: 200..<500)
        try await HTTPSession().download(HTTPRequest(url: server.url()), to: file, options: options)
        #expect(try Data(contentsOf: file) == Data("page".utf8))
    }

    @Test func aFileThatIsThereIsReplacedOrKept() async throws {
        let server = try FaultServer { connection, _ in try connection.respond(text: "new") }
        let request = HTTPRequest(url: server.url())
        try Data("old".utf8).write(to: file)
        await #expect(throws: HTTPError.cannotWriteFile(path: file.path, reason: "File exists")) {
            try await HTTPSession().download(request, to: file, options: .init(existingFile: .fail))
        }
        #expect(server.requests.isEmpty)
        #expect(try Data(contentsOf: file) == Data("old".utf8))
        try await HTTPSession().download(request, to: file)
        #expect(try Data(contentsOf: file) == Data("new".utf8))
    }

    /// AFNetworking reports a success whose file is the old one.
    @Test func aFileThatAppearsMeanwhileIsKept() async throws {
        let file = file
        let server = try FaultServer { connection, _ in
            try Data("other".utf8).write(to: file)
            try connection.respond(text: "new")
        }
        await #expect(throws: HTTPError.cannotWriteFile(path: file.path, reason: "File exists")) {
            try await HTTPSession()
                .download(HTTPRequest(url: server.url()), to: file, options: .init(existingFile: .fail))
        }
        #expect(try Data(contentsOf: file) == Data("other".utf8))
        #expect(names == ["backup.tar"])
    }

    @Test("AFNetworking 35: a destination that cannot be written fails, a writable one succeeds")
    func destinations() async throws {
        let server = try FaultServer { connection, _ in try connection.respond(text: "new") }
        let nowhere = folder.url.appending(path: "a/b/c")
        await #expect(throws: HTTPError.cannotWriteFile(path: nowhere.path, reason: "No such file or directory")) {
            try await HTTPSession().download(HTTPRequest(url: server.url())) { _ in nowhere }
        }
        try await HTTPSession().download(HTTPRequest(url: server.url())) { _ in file }
        #expect(names == ["backup.tar"])
    }

    @Test("AFNetworking 21: the destination closure names the file", .timeLimit(.minutes(1)))
    func theDestinationIsChosenByTheResponse() async throws {
        let server = try FaultServer { connection, _ in
            let field = "Content-Disposition: attachment; filename=\"../../etc/report.pdf\""
            try connection.respond(fields: [field], text: "pdf")
        }
        let folder = folder.url
        let done = try await HTTPSession()
            .download(HTTPRequest(url: server.url())) { folder.appending(path: $0.suggestedFileName) }
        #expect(done.file.lastPathComponent == "report.pdf")
        #expect(names == ["report.pdf"])
    }

    @Test func noDestinationIsACancellation() async throws {
        let server = try FaultServer { connection, _ in try connection.respond(text: "pdf") }
        await #expect(throws: HTTPError.cancelled) {
            try await HTTPSession().download(HTTPRequest(url: server.url())) { _ in nil }
        }
        #expect(names.isEmpty)
    }

    @Test func devicesAndFoldersAreNotReplaced() async throws {
        let server = try FaultServer { connection, _ in try connection.respond(text: "x") }
        for path in ["/dev/null", folder.url.path] {
            do {
                try await HTTPSession().download(HTTPRequest(url: server.url()), to: URL(filePath: path))
                Issue.record("\(path) was written")
            } catch { #expect(error.code == "cannot-write-file") }
        }
        #expect(server.requests.isEmpty)
    }

    @Test func aLinkInThePlaceOfThePartIsNotFollowed() async throws {
        let server = try FaultServer { connection, _ in try connection.respond(text: "x") }
        let target = try folder.write(Data("mine".utf8), to: "target")
        let part = folder.url.appending(path: "backup.tar.part")
        try FileManager.default.createSymbolicLink(at: part, withDestinationURL: target)
        do {
            try await HTTPSession().download(HTTPRequest(url: server.url()), to: file, resuming: true)
            Issue.record("the link was followed")
        } catch { #expect(error.code == "cannot-write-file") }
        #expect(try Data(contentsOf: target) == Data("mine".utf8))
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "a file system can be mounted by root only"))
    func aFullDiskIsATypedErrorAndThePartStays() async throws {
        let disk = try SmallDisk(at: folder.url)
        defer { disk.unmount() }
        let server = try RangeServer(.init(body: TestBytes.pattern(count: 3_000_000)))
        let file = disk.url.appending(path: "backup.tar")
        await #expect(throws: HTTPError.cannotWriteFile(path: file.path, reason: "No space left on device")) {
            try await HTTPSession().download(HTTPRequest(url: server.url), to: file)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path).isEmpty)
        await #expect(throws: HTTPError.cannotWriteFile(path: file.path, reason: "No space left on device")) {
            try await HTTPSession().download(HTTPRequest(url: server.url), to: file, resuming: true)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path).contains("backup.tar.part"))
        disk.enlarge()
        try await HTTPSession().download(HTTPRequest(url: server.url), to: file, resuming: true)
        #expect(try Data(contentsOf: file) == TestBytes.pattern(count: 3_000_000))
        #expect(server.ranges.last?.isEmpty == false)
    }

    @Test func cancellingRemovesThePartialFile() async throws {
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Content-Length: 1000"])
            try connection.send("some")
            _ = connection.waitForPeerToClose()
        }
        let (started, ended) = (TestGate(), TestGate())
        let session = HTTPSession()
        let task = session.download(
            HTTPRequest(url: server.url()),
            to: file,
            progress: { if $0.completed == 4 { started.open() } },
            completion: { result in
                #expect(throws: HTTPError.cancelled) { try result.get() }
                ended.open()
            }
        )
        await started.pass()
        #expect(names.count == 1)
        task.cancel()
        await ended.pass()
        #expect(names.isEmpty)
        #expect(throws: HTTPError.cancelled) { try task.result?.get() }
    }

    @Test("AFNetworking 34: resume, suspend, resume of a download are told")
    func suspendedDownloads() async throws {
        let data = TestBytes.pattern(count: 20_000_000)
        let (started, ended) = (TestGate(), TestGate())
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Content-Length: \(data.count)"])
            try connection.send(Data(data.prefix(1000)))
            started.block()
            try connection.send(Data(data.dropFirst(1000)))
        }
        let session = HTTPSession()
        var events = session.events.makeAsyncIterator()
        let task = session.download(HTTPRequest(url: server.url()), to: file) { result in
            #expect(throws: Never.self) { try result.get() }
            ended.open()
        }
        #expect(await eventually { task.progress.completed == 1000 })
        task.resume()
        task.suspend()
        started.open()
        var names: [String] = []
        while names.last != "suspended", let event = await events.next() { names.append(Self.name(event)) }
        #expect(task.result == nil)
        task.resume()
        await ended.pass()
        while names.last != "finished", let event = await events.next() { names.append(Self.name(event)) }
        #expect(names == ["created", "started", "received", "suspended", "resumed", "finished"])
        #expect(try Data(contentsOf: file) == data)
    }

    private static func name(_ event: HTTPTaskEvent) -> String {
        String("\(event)".prefix { $0 != "(" })
    }

    @Test func aCancelledSwiftTaskCancels() async throws {
        let started = TestGate()
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Content-Length: 1000"])
            started.open()
            _ = connection.waitForPeerToClose()
        }
        let file = file
        let task = Task { try await HTTPSession().download(HTTPRequest(url: server.url()), to: file) }
        await started.pass()
        task.cancel()
        await #expect(throws: HTTPError.cancelled) { try await task.value }
        #expect(names.isEmpty)
    }

    @Test func digestsAreChecked() async throws {
        let body = Data("hello world".utf8)
        let right = "uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek="
        let wrong = Data(count: 32).base64EncodedString()
        for (field, isRight) in [
            ("Repr-Digest: sha-256=:\(right):", true), ("Repr-Digest: sha-256=:\(wrong):", false),
            ("Content-Digest: md5=:AAAA:, sha-256=:\(right):", true), ("Digest: SHA-256=\(wrong)", false),
            ("Digest: SHA-256=\(right)", true), ("Content-MD5: XrY7u+Ae7tCTyyK7j1rNww==", true),
            ("Content-MD5: AAAAu+Ae7tCTyyK7j1rNww==", false), ("Repr-Digest: sha-256=:nonsense", true),
        ] {
            let server = try FaultServer { connection, _ in try connection.respond(fields: [field], body: body) }
            do {
                try await HTTPSession().download(HTTPRequest(url: server.url()), to: file)
                #expect(isRight, "\(field)")
            } catch {
                #expect(!isRight, "\(field)")
                #expect(error.code == "content-mismatch")
            }
        }
        #expect(names == ["backup.tar"])
    }
}
