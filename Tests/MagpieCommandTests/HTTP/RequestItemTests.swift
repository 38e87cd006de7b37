import Foundation
import Testing

@testable import MagpieCommand

@Suite struct RequestItemTests {
    @Test(
        "Each separator makes its kind of item",
        arguments: [
            ("Accept:text/plain", RequestItem.header("Accept", "text/plain")),
            ("Accept: text/plain", .header("Accept", "text/plain")),
            ("Accept:", .header("Accept", nil)),
            ("X-Empty;", .header("X-Empty", "")),
            ("q==magpie", .query("q", "magpie")),
            ("q==", .query("q", "")),
            ("name=Ada", .field("name", "Ada")),
            ("name=", .field("name", "")),
            ("age:=36", .json("age", "36")),
            ("tags:=[1,2]", .json("tags", "[1,2]")),
            ("photo@bird.png", .file("photo", path: "bird.png")),
            ("text=@notes.txt", .fieldFile("text", path: "notes.txt")),
            ("data:=@data.json", .jsonFile("data", path: "data.json")),
        ]
    )
    func kinds(word: String, expected: RequestItem) throws {
        #expect(try RequestItem(word) == expected)
    }

    @Test(
        "The first separator counts, and a backslash takes one back",
        arguments: [
            ("url=http://host:80/?a=b", RequestItem.field("url", "http://host:80/?a=b")),
            ("Referer:http://host/?a==b", .header("Referer", "http://host/?a==b")),
            ("mail=me@host", .field("mail", "me@host")),
            (#"a\:b=c"#, .field("a:b", "c")),
            (#"a\=b==c"#, .query("a=b", "c")),
            (#"path=C:\new"#, .field("path", #"C:\new"#)),
            (#"sum=1\=1"#, .field("sum", "1=1")),
            ("größe=¼", .field("größe", "¼")),
        ]
    )
    func separators(word: String, expected: RequestItem) throws {
        #expect(try RequestItem(word) == expected)
    }

    @Test("What is no item is wrong usage", arguments: ["word", "", ";", "=value", ":x", "@file"])
    func noItem(word: String) {
        #expect(throws: UsageError.self) { try RequestItem(word) }
    }

    @Test(
        "An address needs neither a scheme nor, on this machine, a host",
        arguments: [
            ("example.org/x?y", "http://example.org/x?y"),
            ("https://example.org", "https://example.org"),
            (":8080/x", "http://localhost:8080/x"),
            (":/x", "http://localhost/x"),
            ("localhost:3000", "http://localhost:3000"),
        ]
    )
    func address(text: String, expected: String) throws {
        #expect(try RequestAddress.url(text).absoluteString == expected)
    }

    @Test("What is no address is wrong usage", arguments: ["", "http://", "http:///x"])
    func noAddress(text: String) {
        #expect(throws: UsageError.self) { try RequestAddress.url(text) }
    }
}
