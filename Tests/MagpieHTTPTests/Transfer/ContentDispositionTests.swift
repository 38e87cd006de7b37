import Foundation
import MagpieHTTP
import Testing

/// Names for files, as servers suggest them (RFC 6266), and never more than a name.
struct ContentDispositionTests {
    private func name(_ disposition: String?, url: String = "https://example.org/files/a%20b.txt?x=1") throws -> String
    {
        var response = HTTPResponse(status: .ok, url: try #require(URL(string: url)))
        response.headerFields[.contentDisposition] = disposition
        return response.suggestedFileName
    }

    @Test(arguments: [
        ("attachment; filename=example.html", "example.html"),
        ("attachment; filename=\"an example.html\"", "an example.html"),
        ("INLINE; FILENAME= \"an example.html\"", "an example.html"),
        ("attachment; filename*=UTF-8''%e2%82%ac%20rates", "€ rates"),
        ("attachment; filename=\"EURO rates\"; filename*=utf-8'en'%e2%82%ac%20rates", "€ rates"),
        ("attachment; filename*=iso-8859-1''%A3%20rates", "£ rates"),
        ("attachment; filename=\"a;b.txt\"; size=3", "a;b.txt"), ("attachment; filename=\"a\\\"b.txt\"", "a\"b.txt"),
        ("attachment; filename*=utf-16''x; filename=fallback", "fallback"),
        ("attachment; filename=first; filename=second", "first"),
        // What is not a name is made one.
        ("attachment; filename=\"../../etc/passwd\"", "passwd"), ("attachment; filename=\"C:\\\\x\\\\y.txt\"", "y.txt"),
        ("attachment; filename=\".bashrc\"", "bashrc"), ("attachment; filename=\"a\u{202E}fdp.exe\"", "afdp.exe"),
        ("attachment; filename*=UTF-8''a%00b%0d%0a.txt", "ab.txt"),
        // Where there is none, the address names the file.
        ("attachment; filename=\"..\"", "a b.txt"), ("attachment; filename=\"\"", "a b.txt"), ("attachment", "a b.txt"),
        ("", "a b.txt"), ("attachment; filename*=UTF-8''%zz", "a b.txt"),
    ])
    func names(_ disposition: String, _ expected: String) throws {
        #expect(try name(disposition) == expected)
    }

    @Test func withoutANameItIsADownload() throws {
        #expect(try name(nil, url: "https://example.org") == "download")
        #expect(try name(nil, url: "https://example.org/%2e%2e") == "download")
    }

    @Test func longNamesKeepTheirEnding() throws {
        let name = try name("attachment; filename=\"\(String(repeating: "ü", count: 300)).tar\"")
        #expect(name.utf8.count <= 255)
        #expect(name.hasSuffix("ü.tar"))
    }

    /// A slash with a mark over it is one character to Swift, and still a slash to the file system.
    @Test(arguments: ["/\u{200D}", "/\u{301}", "\\\u{301}", "\u{200D}/\u{FE0F}", "\u{0}/\u{301}"])
    func aNameIsOnePartOfAPath(slash: String) throws {
        let path = "..\(slash)..\(slash)etc\(slash)passwd"
        let encoded = path.utf8.map { "%" + String(Int($0) | 0x100, radix: 16).dropFirst() }.joined()
        let name = try name("attachment; filename*=UTF-8''\(encoded)")
        #expect(name.hasSuffix("passwd"))
        #expect(!name.utf8.contains { [0x2F, 0x5C, 0].contains($0) })
    }

    @Test func aLongCharacterIsCutInside() throws {
        let name = try name("attachment; filename=\"a\(String(repeating: "\u{301}", count: 200)).txt\"")
        #expect((250...255).contains(name.utf8.count))
        #expect(name.unicodeScalars.first == "a" && name.hasSuffix(".txt"))
    }
}
