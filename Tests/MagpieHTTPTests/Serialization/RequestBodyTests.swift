import Foundation
import MagpieConcurrency
import MagpieTestSupport
import Testing

@testable import MagpieHTTP

/// Bodies that are made while they are sent.
@Suite(.timeLimit(.minutes(1)))
struct RequestBodyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [0, 1, 262_143, 262_144, 262_145, 1_000_003], [1000, 16_384, 300_000])
    func aFileComesAsItIs(size: Int, room: Int) async throws {
        let data = TestBytes.pattern(count: size)
        let body = try HTTPRequestBody.file(folder.write(data, to: "file"))
        #expect(body.count == Int64(size))
        #expect(body.isRepeatable)
        #expect(try await BodyPump.bytes(of: body, room: room) == data)
        #expect(try await BodyPump.bytes(of: body, room: room) == data)
    }

    @Test func aFileThatShrinksFails() async throws {
        let file = try folder.write(TestBytes.pattern(count: 1 << 20), to: "file")
        let body = try HTTPRequestBody.file(file)
        #expect(truncate(file.path, 700_000) == 0)
        let error = await #expect(throws: HTTPError.self) { try await BodyPump.bytes(of: body) }
        #expect(error?.code == "unreadable-body")
        #expect(error?.description.contains("shorter") == true)
    }

    @Test func aFileThatGrowsIsCut() async throws {
        let file = try folder.write(Data("magpie".utf8), to: "file")
        let body = try HTTPRequestBody.file(file)
        try folder.write(Data("magpie and more".utf8), to: "file")
        #expect(try await BodyPump.bytes(of: body) == Data("magpie".utf8))
    }

    @Test func whatIsNoFileIsRefused() throws {
        mkfifo(folder.url.appending(path: "pipe").path, 0o600)
        for path in ["none", "", "pipe"] {
            let error = #expect(throws: HTTPError.self) { try HTTPRequestBody.file(folder.url.appending(path: path)) }
            #expect(error?.code == "unreadable-body")
        }
        let web = try #require(URL(string: "http://host/file"))
        #expect(throws: HTTPError.self) { try HTTPRequestBody.file(web) }
    }

    @Test func aFileThatIsTakenAwayFails() async throws {
        let file = try folder.write(Data("magpie".utf8), to: "file")
        let body = try HTTPRequestBody.file(file)
        try FileManager.default.removeItem(at: file)
        let error = await #expect(throws: HTTPError.self) { try await BodyPump.bytes(of: body) }
        #expect(error?.code == "unreadable-body")
    }

    @Test func aReaderThatIsClosedEarlyLetsGo() async throws {
        final class Token: Sendable {
            let released = TestGate()
            deinit { released.open() }
        }
        let body = try HTTPRequestBody.file(folder.write(TestBytes.pattern(count: 3 << 20), to: "file"))
        let reader = try #require(body.source).makeReader()
        var token: Token? = Token()
        let released = try #require(token).released
        reader.open { [token] in withExtendedLifetime(token) {} }
        token = nil
        #expect(!released.isOpen)
        reader.close()
        await released.pass()
    }

    @Test func aSequenceComesInItsOrder() async throws {
        let chunks = AsyncStream<Data> { continuation in
            for text in ["one ", "", "two ", String(repeating: "three ", count: 1000)] {
                continuation.yield(Data(text.utf8))
            }
            continuation.finish()
        }
        let body = HTTPRequestBody.sequence(chunks)
        #expect(body.count == nil && !body.isRepeatable)
        let text = "one two " + String(repeating: "three ", count: 1000)
        #expect(try await BodyPump.bytes(of: body, room: 7) == Data(text.utf8))
        await #expect(throws: HTTPError.unreadableBody(reason: "a stream can be sent once only")) {
            try await BodyPump.bytes(of: body)
        }
    }

    @Test func aSequenceIsAskedForOneChunkAhead() async throws {
        let produced = Recorder<Int>()
        let chunks = AsyncStream<Data> {
            produced.record(produced.elements.count)
            return Data("1234".utf8)
        }
        let reader = try #require(HTTPRequestBody.sequence(chunks).source).makeReader()
        let ready = Recorder<Void>()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
        defer { buffer.deallocate() }
        // The first chunk is there and the second in hand; none is asked for until one has been read.
        reader.open { ready.record(()) }
        _ = await produced.elements(2)
        for count in 3...20 {
            #expect(produced.elements.count == count - 1)
            while case .wait = reader.read(into: buffer) { await Task.yield() }
            _ = await produced.elements(count)
        }
        reader.close()
    }

    @Test func aSequenceThatFailsEndsTheBody() async throws {
        let known = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: HTTPError.cancelled) }
        await #expect(throws: HTTPError.cancelled) { try await BodyPump.bytes(of: .sequence(known)) }
        let other = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: CocoaError(.fileNoSuchFile)) }
        let error = await #expect(throws: HTTPError.self) { try await BodyPump.bytes(of: .sequence(other)) }
        #expect(error?.code == "unreadable-body")
    }

    @Test func closingEndsTheSequence() async throws {
        let ended = TestGate()
        let chunks = AsyncStream<Data> { continuation in
            continuation.onTermination = { _ in ended.open() }
            continuation.yield(Data("a".utf8))
        }
        let reader = try #require(HTTPRequestBody.sequence(chunks).source).makeReader()
        reader.open {}
        reader.close()
        await ended.pass()
    }

    @Test func aThrottledBodyKeepsItsPace() async throws {
        let clock = HeldClock()
        let body = HTTPRequestBody.bytes(TestBytes.pattern(count: 10))
            .throttled(packetSize: 4, delay: .milliseconds(200), clock: clock)
        #expect(body.count == 10 && body.isRepeatable)
        let reader = try #require(body.source).makeReader()
        let ready = Recorder<Void>()
        reader.open { ready.record(()) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
        defer { buffer.deallocate() }
        var sizes: [Int] = []
        for packet in 1...3 {
            while case .bytes(let count) = reader.read(into: buffer) { sizes.append(count) }
            guard packet < 3 else { break }
            #expect(await clock.durations.elements(packet).last == .milliseconds(200))
            clock.wakeAll()
            _ = await ready.elements(packet)
        }
        #expect(sizes == [3, 1, 3, 1, 2])
        reader.close()
    }

    @Test func aBodyIsWrittenToAFile() async throws {
        let data = TestBytes.pattern(count: 600_000)
        let target = try folder.write(Data(repeating: 1, count: 999_999), to: "copy")
        try await HTTPRequestBody.file(folder.write(data, to: "file")).write(to: target)
        #expect(try Data(contentsOf: target) == data)
        let broken = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: HTTPError.cancelled) }
        await #expect(throws: HTTPError.cancelled) { try await HTTPRequestBody.sequence(broken).write(to: target) }
        #expect(FileManager.default.fileExists(atPath: target.path))
        let nowhere = folder.url.appending(path: "no/such/folder")
        await #expect(throws: HTTPError.self) { try await HTTPRequestBody.bytes(data).write(to: nowhere) }
    }

    @Test func writingCanBeCancelled() async throws {
        let (chunks, source) = AsyncStream.makeStream(of: Data.self)
        let target = folder.url.appending(path: "copy")
        let task = Task { try await HTTPRequestBody.sequence(chunks).write(to: target) }
        source.yield(Data("begun".utf8))
        task.cancel()
        await #expect(throws: HTTPError.cancelled) { try await task.result.get() }
    }

    @Test func aFileIsReplacedOnlyByAWholeOne() async throws {
        let file = try folder.write(Data("magpie".utf8), to: "file")
        // Content that is the file itself.
        try await HTTPRequestBody.file(file).write(to: file)
        #expect(try Data(contentsOf: file) == Data("magpie".utf8))
        let failing = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("half".utf8))
            continuation.finish(throwing: HTTPError.cancelled)
        }
        await #expect(throws: HTTPError.cancelled) { try await HTTPRequestBody.sequence(failing).write(to: file) }
        #expect(try Data(contentsOf: file) == Data("magpie".utf8))
        try await HTTPRequestBody.bytes(Data("new".utf8)).write(to: file)
        #expect(try Data(contentsOf: file) == Data("new".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["file"])
    }

    /// A reader of somebody else's, which answers what it was told to.
    private final class Liar: HTTPBodySource, HTTPBodyReader {
        let count: Int64? = nil
        let isRepeatable = true
        private let answer: Int

        init(_ answer: Int) { self.answer = answer }

        func makeReader() throws(HTTPError) -> any HTTPBodyReader { self }
        func open(onReady: @escaping @Sendable () -> Void) {}
        func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPBodyRead { .bytes(answer) }
        func close() {}
    }

    @Test(arguments: [0, -1, Int.min, Int.max, 1 << 20])
    func impossibleNumbersOfBytesEndTheBody(number: Int) async throws {
        let liar = HTTPRequestBody.source(Liar(number))
        let file = folder.url.appending(path: "file")
        let joined = HTTPRequestBody.source(JoinedBodySource([liar]))
        for body in [liar, joined] {
            let error = await #expect(throws: HTTPError.self) { try await body.write(to: file) }
            #expect(error?.code == "unreadable-body")
        }
    }
}

/// A clock whose sleepers sleep until the test wakes them.
private final class HeldClock: Clock, Sendable {
    let durations = Recorder<Duration>()
    private let sleepers = Lock<[CheckedContinuation<Void, Never>]>([])

    var now: ContinuousClock.Instant { start }
    var minimumResolution: Duration { .zero }
    private let start = ContinuousClock.now

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { continuation in
            sleepers.withLock { $0.append(continuation) }
            durations.record(start.duration(to: deadline))
        }
    }

    func wakeAll() {
        let woken = sleepers.withLock { sleepers in
            defer { sleepers = [] }
            return sleepers
        }
        for sleeper in woken { sleeper.resume() }
    }
}
