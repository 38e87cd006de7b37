import Foundation
import MagpieHTTP
import Testing

/// How parameters are written as a query or a form.
struct FormEncodingTests {
    private func form(_ parameters: HTTPParameters, _ encoding: HTTPFormEncoding = .init()) throws -> String {
        try encoding.string(of: parameters)
    }

    /// As people read it: with the brackets of names.
    private func readable(_ parameters: HTTPParameters, _ encoding: HTTPFormEncoding = .init()) throws -> String {
        try #require(try form(parameters, encoding).removingPercentEncoding)
    }

    @Test("AFNetworking 3: reserved characters are escaped, a slash and a question mark are not")
    func reservedCharacters() throws {
        let reserved = " :#[]@!$&'()*+,;=/?"
        let escaped = "%20%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D/?"
        #expect(try form(["a": .string(reserved)]) == "a=\(escaped)")
        let again = escaped.replacing("%", with: "%25")
        #expect(try form(["a": .string(escaped)]) == "a=\(again)")
    }

    @Test("AFNetworking 4: pairs are sorted and joined, and values escaped")
    func pairs() throws {
        #expect(try form(["key1": "value&", "key": "value"]) == "key=value&key1=value%26")
        #expect(try form([":#[]@!$&'()*+,;=?/": "?/"]).hasSuffix("?/=?/"))
        #expect(try form(["b": 1, "a": 2]) == "a=2&b=1")
        #expect(try form(["a": 1, "B": 2]) == "B=2&a=1")
    }

    @Test("AFNetworking 5: each emoji is escaped as a whole, wherever it stands", arguments: 1...120)
    func emojiAtEveryPlace(count: Int) throws {
        let text = String(repeating: "x", count: count % 3) + String(repeating: "👴🏿👷🏻‍♀️", count: count)
        let value = try form(["a": .string(text)])
        #expect(value.removingPercentEncoding == "a=\(text)")
        #expect(value.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(
        "Long and odd texts come through",
        arguments: [
            String(repeating: "漢", count: 49), String(repeating: "漢字かな", count: 1250),
            String(repeating: "👨‍👩‍👧‍👦", count: 400), String(repeating: "e\u{301}", count: 999), "\u{FFFD}",
            String(decoding: [0xD800] as [UInt16], as: UTF16.self),
            String(decoding: [0xC3, 0x28, 0xFF], as: UTF8.self), "\u{0}\u{7F}\u{10FFFF}",
        ]
    )
    func longTexts(text: String) throws {
        #expect(try form(["k": .string(text)]).removingPercentEncoding == "k=\(text)")
    }

    @Test(
        "The delimiters of queries are escaped",
        arguments: [
            ("+", "%2B"), ("&", "%26"), ("=", "%3D"), ("%", "%25"), (";", "%3B"), ("/", "/"), ("?", "?"), ("#", "%23"),
            ("a b", "a%20b"), ("é", "%C3%A9"), ("\r\n", "%0D%0A"),
        ]
    )
    func delimiters(text: String, escaped: String) throws {
        #expect(try form(.dictionary([text: .string(text)])) == "\(escaped)=\(escaped)")
    }

    @Test func nesting() throws {
        #expect(try form(["a": ["b": "c"]]) == "a%5Bb%5D=c")
        #expect(try readable(["a": [1, 2]]) == "a[]=1&a[]=2")
        #expect(try readable(["a": [2, 1]]) == "a[]=2&a[]=1")
        #expect(try readable(["a": [["k": "v"], ["k": "w"]]]) == "a[][k]=v&a[][k]=w")
        #expect(try readable(["a": .set(["y", "x"])]) == "a=x&a=y")
        #expect(try readable(["a": ["c": ["d": 1], "b": [1]]]) == "a[b][]=1&a[c][d]=1")
        #expect(try readable(["q": "magpie", "tags": ["bird", "blue"]]) == "q=magpie&tags[]=bird&tags[]=blue")
    }

    @Test func nothing() throws {
        #expect(try form(["a": .null]) == "a")
        #expect(try form(["a": ""]) == "a=")
        #expect(try form(["a": [], "b": [:], "c": .set([])]) == "")
        #expect(try form([:]) == "")
        #expect(try form(["a": .null, "b": 1], .init(nulls: .omitted)) == "b=1")
        #expect(try form(["a": .null], .init(nulls: .emptyValue)) == "a=")
    }

    @Test func scalars() throws {
        #expect(try form(["a": true, "b": false]) == "a=1&b=0")
        #expect(try form(["a": true, "b": false], .init(booleans: .literal)) == "a=true&b=false")
        #expect(try form(["a": 1.5, "b": 2.0, "c": -7]) == "a=1.5&b=2&c=-7")
        #expect(try form(["a": .double(.infinity), "b": .double(.nan)]) == "a=inf&b=nan")
        #expect(try form(["a": .data(Data("magpie".utf8))]) == "a=bWFncGll")
        #expect(try form(["a": .data(Data([1, 2]))], .init(bytes: .custom { "\($0.count)" })) == "a=2")
    }

    @Test func dates() throws {
        let date = Date(timeIntervalSince1970: 1_772_366_400.25)
        #expect(try readable(["a": .date(date)]) == "a=2026-03-01T12:00:00Z")
        #expect(try form(["a": .date(date)], .init(dates: .seconds)) == "a=1772366400.25")
        #expect(try form(["a": .date(date)], .init(dates: .milliseconds)) == "a=1772366400250")
        #expect(try form(["a": .date(date)], .init(dates: .custom { _ in "now" })) == "a=now")
    }

    @Test func arrays() throws {
        let value: HTTPParameters = ["a": ["x", "y"]]
        #expect(try readable(value, .init(arrays: .noBrackets)) == "a=x&a=y")
        #expect(try readable(value, .init(arrays: .index)) == "a[0]=x&a[1]=y")
        #expect(try readable(value, .init(arrays: .custom { "\($0).\($1)" })) == "a.0=x&a.1=y")
    }

    @Test func spaces() throws {
        #expect(try form(["a b": "c d+e"], .init(spaces: .plus)) == "a+b=c+d%2Be")
    }

    @Test(
        arguments: [
            ("firstName", "first_name", "first-name"), ("userID", "user_id", "user-id"),
            ("httpURLPath", "http_url_path", "http-url-path"), ("a", "a", "a"),
            ("already_done", "already_done", "already_done"),
            ("", "", ""), ("Übergröße", "übergröße", "übergröße"),
        ]
    )
    func keys(name: String, snake: String, kebab: String) throws {
        #expect(try readable(.dictionary([name: 1]), .init(keys: .snakeCase)) == "\(snake)=1")
        #expect(try readable(.dictionary([name: 1]), .init(keys: .kebabCase)) == "\(kebab)=1")
        #expect(
            try readable(.dictionary([name: 1]), .init(keys: .custom { $0.uppercased() })) == "\(name.uppercased())=1"
        )
    }

    @Test func theOrderOfTheLiteralCanBeKept() throws {
        #expect(try form(["b": 1, "a": 2, "b": 3], .init(isSorted: false)) == "b=1&a=2&b=3")
    }

    @Test(arguments: [["a", "b"], "text", 7, .null] as [HTTPParameters])
    func withoutNamesThereIsNoForm(parameters: HTTPParameters) {
        #expect(throws: HTTPError.self) { try form(parameters) }
    }

    @Test func encodableValues() throws {
        struct Inner: Encodable {
            var on = true
            var ratio: Float = 0.1
        }
        class Base: Encodable { var base = 1 }
        final class Derived: Base {
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode("d", forKey: .derived)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                try list.encode(1)
                try list.encodeNil()
                var nested = list.nestedContainer(keyedBy: Key.self)
                try nested.encode(UInt64.max, forKey: .derived)
                try super.encode(to: container.superEncoder())
            }
            enum Key: String, CodingKey { case derived, list }
        }
        struct Outer: Encodable {
            var zulu = "z"
            var alpha = 1
            var absent: Int?
            var url = URL(string: "http://host/?a=b")
            var inner = Inner()
            var list: [Int8] = [1, 2]
            var derived = Derived()
        }
        let parameters = try HTTPParameters(encoding: Outer())
        #expect(
            try readable(parameters, .init(isSorted: false))
                == "zulu=z&alpha=1&url=http://host/?a=b&inner[on]=1&inner[ratio]=0.1&list[]=1&list[]=2"
                + "&derived[derived]=d&derived[list][]=1&derived[list][]&derived[list][][derived]=18446744073709551615"
                + "&derived[super][base]=1"
        )
        #expect(try HTTPParameters(encoding: [1, 2]) == [1, 2])
        #expect(try HTTPParameters(encoding: "a") == "a")
        #expect(try HTTPParameters(encoding: [String: Int]()) == [:])
        #expect(try HTTPParameters(encoding: Date(timeIntervalSince1970: 0)) == .date(Date(timeIntervalSince1970: 0)))
    }

    @Test func anEncodableThatFailsIsReported() {
        struct Broken: Encodable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: "no way"))
            }
        }
        #expect(throws: HTTPError.unserializableRequest(reason: "no way")) { try HTTPParameters(encoding: Broken()) }
    }
}
