import Foundation
import MagpieImage
import MagpieTestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct InfoAndDecodeTests {
    private let magpie: CommandRun

    init() throws {
        magpie = try CommandRun()
    }

    @Test func infoTellsTheHeaderAsJSON() async throws {
        try magpie.folder.write(try TestPicture.encoded(width: 40, height: 30, as: .jpeg), to: "a.jpg")
        let run = try await magpie("info", "--json", "a.jpg")
        #expect(run.status == 0)
        let line = try #require(run.json.first)
        #expect(line["input"] as? String == "a.jpg")
        #expect(line["format"] as? String == "jpeg")
        #expect(line["width"] as? Int == 40)
        #expect(line["displayed_height"] as? Int == 30)
        #expect(line["orientation"] as? Int == 1)
        #expect(line["has_alpha"] as? Bool == false)
        #expect(line["frames"] as? Int == 1)
        #expect(line["loop_count"] is NSNull)
        #expect((line["durations_ms"] as? [Any])?.isEmpty == true)
        #expect(line["bits_per_channel"] as? Int == 8)
        #expect(line["progressive"] as? Bool == false)
        #expect((line["bytes"] as? Int ?? 0) > 100)
    }

    @Test func infoTakesURLsAndGoesOnAfterAFailure() async throws {
        let data = try TestPicture.encoded(width: 12, height: 5)
        let server = try FaultServer { connection, _ in try connection.respond(body: data) }
        let run = try await magpie("info", "missing.png", server.url("/x").absoluteString)
        #expect(run.status == 1)
        #expect(run.output.contains("12 x 5"))
        #expect(run.messages == "magpie: missing.png: there is no such file\n")
    }

    @Test func decodeWritesStraightRGBA() async throws {
        let data = try TestPicture.encoded(width: 6, height: 4)
        try magpie.folder.write(data, to: "a.png")
        let run = try await magpie("decode", "a.png", "--rgba", "out.rgba", "--color", "keep")
        #expect(run.status == 0)
        #expect(run.json.first?["width"] as? Int == 6)
        #expect(run.json.first?["height"] as? Int == 4)
        #expect(try magpie.contents("out.rgba") == (try ImageCoders.shared.decode(data).bitmap.straightRGBA()))
    }

    @Test func decodeWritesAThumbnailAsPNG() async throws {
        try magpie.folder.write(try TestPicture.encoded(width: 60, height: 40), to: "a.png")
        #expect(try await magpie("decode", "a.png", "--thumbnail", "30x30", "--png", "out.png").status == 0)
        let info = try ImageCoders.shared.info(try magpie.contents("out.png"))
        #expect(info.width == 30 && info.height == 20)
    }

    @Test func aBeginningIsWrittenAsFarAsItShows() async throws {
        let whole = try TestPicture.encoded(width: 200, height: 200, as: .jpeg)
        try magpie.folder.write(whole, to: "a.jpg")
        let run = try await magpie("decode", "a.jpg", "--partial", "\(whole.count * 2 / 3)", "--rgba", "a.rgba")
        #expect(run.status == 0)
        let expected = try ImageCoders.shared.decode(whole).bitmap.straightRGBA()
        let found = try magpie.contents("a.rgba")
        #expect(found.count == expected.count)
        #expect(found.prefix(200 * 80 * 4) == expected.prefix(200 * 80 * 4))
        #expect(found.last == 0)
        let early = try await magpie("decode", "a.jpg", "--partial", "100", "--rgba", "a.rgba")
        #expect(early.status == 1)
    }

    @Test func aDamagedFileIsWrittenAsFarAsItGoes() async throws {
        let whole = try TestPicture.encoded(width: 200, height: 200, as: .jpeg)
        try magpie.folder.write(Data(whole.prefix(whole.count * 2 / 3)), to: "a.jpg")
        let run = try await magpie("decode", "a.jpg", "--rgba", "out.rgba")
        #expect(run.status == 1)
        #expect(run.messages.contains("missing"))
        #expect(try magpie.contents("out.rgba").count == 200 * 200 * 4)
    }

    @Test func aFileThatIsNoPicture() async throws {
        try magpie.folder.write(Data("{\"a\": 1}".utf8), to: "a.png")
        let run = try await magpie("decode", "a.png", "--rgba", "out.rgba")
        #expect(run.status == 1)
        #expect(run.messages.contains("JSON"))
        #expect(!magpie.exists("out.rgba"))
    }
}
