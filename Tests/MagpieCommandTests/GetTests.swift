import Foundation
import MagpieHTTP
import MagpieImage
import MagpieTestSupport
import Testing

@Suite(.enabled(if: NginxServer.isAvailable, "nginx and openssl are not installed"), .timeLimit(.minutes(2)))
struct GetTests {
    private let magpie: CommandRun
    private let folder = "command-\(UUID().uuidString)"

    init() throws {
        magpie = try CommandRun()
    }

    /// Puts a file on the server and returns its address.
    private func serve(_ data: Data, as name: String, through entrance: NginxServer.Entrance = .plain) async throws
        -> String
    {
        let server = try await NginxServer.shared()
        let file = server.root.appendingPathComponent(folder).appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        let path = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name
        return server.url("/\(folder)/\(path)", through: entrance).absoluteString
    }

    private func requestCount() async throws -> Int {
        try await NginxServer.shared().requests(under: "/\(folder)/", atLeast: 1).count
    }

    @Test func aPictureThatNothingIsAskedOfIsWrittenAsReceived() async throws {
        let data = try TestPicture.encoded(width: 40, height: 30)
        let url = try await serve(data, as: "a.png")
        let run = try await magpie("get", url, "--json")
        #expect(run.status == 0)
        #expect(run.messages.isEmpty)
        #expect(try magpie.contents("a.png") == data)
        let line = try #require(run.json.first)
        #expect(line["url"] as? String == url)
        #expect(line["ok"] as? Bool == true)
        #expect(line["source"] as? String == "network")
        #expect(line["format"] as? String == "png")
        #expect(line["width"] as? Int == 40)
        #expect(line["height"] as? Int == 30)
        #expect(line["frames"] as? Int == 1)
        #expect(line["bytes"] as? Int == data.count)
        #expect(line["path"] as? String == "a.png")
    }

    @Test func theSecondRunComesFromDiskWithoutARequest() async throws {
        let url = try await serve(try TestPicture.encoded(width: 10, height: 10), as: "a.png")
        _ = try await magpie("get", url)
        let again = try await magpie("get", url, "--json", "-o", "b.png")
        #expect(again.json.first?["source"] as? String == "disk")
        #expect(try await requestCount() == 1)
        let offline = try await magpie("get", url, "--json", "--cache-only", "-o", "c.png")
        #expect(offline.json.first?["source"] as? String == "disk")
    }

    @Test func cacheOptionsSayWhatIsUsedAndKept() async throws {
        let url = try await serve(try TestPicture.encoded(width: 10, height: 10), as: "a.png")
        let missing = try await magpie("get", url, "--cache-only")
        #expect(missing.status == 1)
        #expect(missing.messages.contains("in no cache"))
        for flag in ["--no-cache", "--memory-only"] {
            #expect(try await magpie("get", url, flag, "-o", "x.png").status == 0)
            #expect(try await magpie("get", url, "--cache-only").status == 1)
        }
    }

    @Test func transformsAreDoneInTheirOrder() async throws {
        let url = try await serve(try TestPicture.encoded(width: 400, height: 200), as: "a.png")
        // Cut, then turned on its side: 50 wide and 100 high; the other way round the cut is what remains.
        let orders: [([String], Int, Int)] = [
            (["--crop", "0,0,100,50", "--rotate", "90"], 50, 100), (["--rotate=90", "--crop=0,0,100,50"], 100, 50),
            (["--resize", "30x60:fill", "--flip", "h", "--blur", "2", "--tint", "#00ff0080", "--round", "9"], 30, 60),
            (["--rotate", "-45", "--resize", "64x64"], 64, 64),
        ]
        for (index, (options, width, height)) in orders.enumerated() {
            let run = try await magpie.run(["get", url, "-o", "\(index).png"] + options)
            #expect(run.status == 0, "\(run.messages)")
            let info = try ImageCoders.shared.info(try magpie.contents("\(index).png"))
            #expect(info.width == width && info.height == height)
        }
        let tinted = try ImageCoders.shared.decode(try magpie.contents("2.png")).bitmap
        #expect(tinted.pixel(x: 15, y: 30) == PixelColor(r: 0, g: 255, b: 0, a: 128))
        #expect(tinted.pixel(x: 0, y: 0)?.a == 0)
    }

    @Test(arguments: [
        ["--resize", "30"], ["--resize", "30x30:cover"], ["--crop", "1,2,3"], ["--crop", "1,2,3,x,5"],
        ["--crop", "0,0,0,5"], ["--round", "-1"], ["--rotate", "nan"], ["--flip", "x"], ["--blur", "much"],
        ["--tint", "red"], ["--tint", "#12345"],
    ])
    func aTransformThatMakesNoSenseIsWrongUsage(_ options: [String]) async throws {
        let run = try await magpie.run(["get", "http://localhost:9/a.png"] + options)
        #expect(run.status == 2)
        #expect(run.messages.contains(options[0]))
    }

    @Test func thumbnailsFitAndStretch() async throws {
        let url = try await serve(try TestPicture.encoded(width: 400, height: 200), as: "a.png")
        let sizes = [("100x100", 100, 50), ("100x100!", 100, 100), ("1000x1000", 400, 200)]
        for (index, (size, width, height)) in sizes.enumerated() {
            let run = try await magpie("get", url, "--thumbnail", size, "-o", "\(index).png")
            #expect(run.status == 0)
            let info = try ImageCoders.shared.info(try magpie.contents("\(index).png"))
            #expect(info.width == width && info.height == height)
        }
    }

    @Test(arguments: ["jpeg", "png", "webp"]) func convertsToEachFormat(format: String) async throws {
        let url = try await serve(try TestPicture.encoded(width: 64, height: 48), as: "pic.png")
        let run = try await magpie("get", url, "--format", format, "--quality", "80", "--json", "--force")
        #expect(run.status == 0)
        let path = try #require(run.json.first?["path"] as? String)
        #expect(path.hasPrefix("pic."))
        let info = try ImageCoders.shared.info(try magpie.contents(path))
        #expect(info.format.rawValue == format)
        #expect(info.width == 64)
    }

    @Test func namesComeFromTheAddressAndNeverLeaveTheFolder() async throws {
        let data = try TestPicture.encoded(width: 4, height: 4)
        let plain = try await serve(data, as: "x/a.png")
        let same = try await serve(data, as: "y/a.png")
        let evil = try await serve(data, as: "evil.png")
        let run = try await magpie("get", plain, same, evil + "?a=../../b", "-o", "out", "--json")
        #expect(run.status == 0)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: magpie.folder.url.appendingPathComponent("out").path
        )
        #expect(names.sorted() == ["a-2.png", "a.png", "evil.png"])
    }

    @Test func aFileThatIsThereIsNotReplacedByANameThatTheAddressChose() async throws {
        let url = try await serve(try TestPicture.encoded(width: 4, height: 4), as: "a.png")
        try magpie.folder.write(Data("mine".utf8), to: "a.png")
        let run = try await magpie("get", url)
        #expect(run.status == 1)
        #expect(run.messages.contains("exists already"))
        #expect(try magpie.contents("a.png") == Data("mine".utf8))
        #expect(try await magpie("get", url, "--force").status == 0)
        #expect(try magpie.contents("a.png") != Data("mine".utf8))
    }

    @Test func writesToStandardOutput() async throws {
        let data = try TestPicture.encoded(width: 4, height: 4)
        let url = try await serve(data, as: "a.png")
        let run = try await magpie("get", url, "-o", "-", "--original")
        #expect(run.status == 0)
        #expect(run.output.utf8.count > 8)
    }

    @Test func oneFailureDoesNotStopTheOthers() async throws {
        let good = try await serve(try TestPicture.encoded(width: 4, height: 4), as: "good.png")
        let bad = try await NginxServer.shared().url("/\(folder)/none.png").absoluteString
        let run = try await magpie("get", bad, good)
        #expect(run.status == 1)
        #expect(magpie.exists("good.png"))
        #expect(run.messages.split(separator: "\n").count == 1)
    }

    @Test func overTLSWithItsAuthority() async throws {
        let url = try await serve(try TestPicture.encoded(width: 4, height: 4), as: "a.png", through: .secure)
        let server = try await NginxServer.shared()
        #expect(try await magpie("get", url, "--cacert", server.caFile.path).status == 0)
        #expect(try await magpie("get", url, "--no-cache", "--insecure", "--force").status == 0)
        let pinned = try await magpie(
            "get",
            url,
            "--no-cache",
            "--force",
            "--cacert",
            server.caFile.path,
            "--pin",
            server.publicKeyPin
        )
        #expect(pinned.status == 0)
        let wrong = "sha256//" + Data(repeating: 7, count: 32).base64EncodedString()
        let refused = try await magpie("get", url, "--no-cache", "--cacert", server.caFile.path, "--pin", wrong)
        #expect(refused.status == 1)
    }

    @Test func interruptionKeepsWhatIsFinishedAndEndsIn130() async throws {
        let good = try await serve(try TestPicture.encoded(width: 4, height: 4), as: "good.png")
        let reached = TestGate()
        let stalling = try FaultServer { connection, _ in
            reached.open()
            _ = connection.waitForPeerToClose(seconds: 20)
        }
        let running = try magpie.start(["get", good, stalling.url("/b.png").absoluteString])
        await reached.pass()
        let isWritten = await eventually { magpie.exists("good.png") }
        #expect(isWritten)
        running.process.interrupt()
        let run = await running.outcome()
        #expect(run.status == 130)
        #expect(magpie.exists("good.png"))
        #expect(!magpie.exists("b.png"))
    }
}
