import Foundation
import MagpieImage
import Testing

@testable import MagpieCommand

@Suite struct OutputNamesTests {
    private func name(_ url: String, _ format: ImageFormat = .png, isConverted: Bool = false) throws -> String {
        OutputNames.name(for: try #require(URL(string: url)), format: format, isConverted: isConverted)
    }

    @Test func theLastPartOfThePath() throws {
        #expect(try name("http://h/a/b/cat.png?size=2#x") == "cat.png")
        #expect(try name("http://h/cat", .jpeg) == "cat.jpg")
        #expect(try name("http://h/", .gif) == "picture.gif")
        #expect(try name("http://h/caf%C3%A9.png") == "café.png")
    }

    @Test func aConvertedPictureKeepsTheStem() throws {
        #expect(try name("http://h/cat.tar.png", .webp, isConverted: true) == "cat.tar.webp")
    }

    @Test func noNameLeadsOutOfTheFolder() throws {
        #expect(try name("http://h/..%2F..%2Fetc%2Fpasswd") == "_.._etc_passwd.png")
        #expect(try name("http://h/%2e%2e", .png) == "picture.png")
        #expect(try name("http://h/.bashrc.png") == "bashrc.png")
        #expect(try name("http://h/-rf.png") == "_rf.png")
        #expect(try name("http://h/a%0Ab%1B.png") == "a_b_.png")
        #expect(try name("http://h/a%00b.png") == "a_b.png")
        #expect(try name("http://h/a%E2%80%AEgnp.exe") == "a_gnp.exe")
    }

    @Test func longNamesAreCut() throws {
        let long = try name("http://h/" + String(repeating: "%C3%A4", count: 300) + ".png")
        #expect(long.utf8.count <= 240)
        #expect(long.hasSuffix(".png"))
    }

    @Test func aNameIsGivenOutOnce() throws {
        var names = OutputNames(target: nil, count: 3)
        let url = try #require(URL(string: "http://h/a.png"))
        let places = (0..<3).map { _ in names.next(for: url, format: .png, isConverted: false) }
        #expect(places == [.file("a.png"), .file("a-2.png"), .file("a-3.png")])
    }
}
