import Foundation
import FoundationXML
import MagpieHTTP
import Testing

/// What the response serializers make of answers.
struct ResponseSerializerTests {
    private func answer(
        _ body: String,
        type: String? = "application/json",
        status: Int = 200
    ) throws -> HTTPDataResponse {
        try answer(Data(body.utf8), type: type, status: status)
    }

    private func answer(_ body: Data, type: String?, status: Int = 200) throws -> HTTPDataResponse {
        var head = HTTPResponse(status: .init(code: status), url: try #require(URL(string: "http://host/")))
        head.headerFields[.contentType] = type
        return HTTPDataResponse(response: head, body: body, metrics: HTTPTaskMetrics())
    }

    private func code(of body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? HTTPError)?.code
        }
    }

    @Test("AFNetworking 11: statuses from 200 to 299 are accepted, those from 400 to 599 are not")
    func statuses() throws {
        for status in 200...599 where !(300...399).contains(status) {
            let data = try? answer("x", status: status).serialize(with: DataResponseSerializer())
            #expect((data != nil) == (status < 300), "\(status)")
        }
        #expect(try answer("x", status: 500).validate(.any).status.code == 500)
    }

    @Test("AFNetworking 12: an empty body needs no type, another one does")
    func emptyBodyNeedsNoType() throws {
        let validation = HTTPResponseValidation(acceptableContentTypes: ["text/html"])
        #expect(throws: Never.self) { try answer("", type: nil, status: 205).validate(validation) }
        #expect(code { try answer("test", type: nil, status: 205).validate(validation) } == "unacceptable-content-type")
    }

    @Test("AFNetworking 13: the types of JSON")
    func typesOfJSON() throws {
        for type in ["application/json", "text/json", "text/javascript", "Application/JSON; charset=utf-8"] {
            #expect(try answer(#"{"a":1}"#, type: type).json()["a"].int == 1)
        }
        #expect(try answer("1", type: "application/problem+json").json().int == 1)
        for type in ["nonstandard/json", "application/jsonp", "text/html", "json", ""] {
            #expect(code { _ = try answer("1", type: type).json() } == "unacceptable-content-type", "\(type)")
        }
    }

    @Test("AFNetworking 14: JSON, good, bad, and none")
    func json() throws {
        #expect(try answer(#"{"key":"value"}"#).json()["key"].string == "value")
        #expect(code { _ = try answer("{invalid}").json() } == "undecodable-content")
        #expect(try answer("").json().isNull)
        #expect(try answer(" ").json().isNull)
        #expect(try answer("", type: "text/html", status: 204).json().isNull)
        #expect(code { _ = try answer("  ").json() } == "undecodable-content")
        #expect(code { _ = try answer(String(repeating: "[", count: 100_000)).json() } == "undecodable-content")
        #expect(code { _ = try answer(Data([0x22, 0xFF, 0x22]), type: "text/json").json() } == "undecodable-content")
    }

    @Test("AFNetworking 15: nulls are removed at every level where that is asked for")
    func nulls() throws {
        let text = #"{"key":"value","nullkey":null,"array":[{"subnull":null,"k":1}],"nested":[[null]]}"#
        let value = try answer(text).serialize(with: JSONResponseSerializer(removesKeysWithNullValues: true))
        #expect(value.dictionary?.keys.sorted() == ["array", "key", "nested"])
        #expect(value["array"][0].dictionary?.keys.sorted() == ["k"])
        #expect(value["nested"].array == [try answer("[]").json()])
        #expect(try answer(text).json().dictionary?.count == 4)
    }

    @Test func aValueIsLookedInto() throws {
        let value = try answer(#"{"b":true,"i":7,"one":1,"d":1.5,"s":"x","n":null,"l":[1,[2]],"big":1e300}"#).json()
        #expect(value["b"].bool == true && value["b"].int == nil && value["b"].double == nil)
        #expect(value["one"].int == 1 && value["one"].bool == nil && value["one"].double == 1)
        #expect(value["d"].double == 1.5 && value["d"].int == nil && value["big"].int == nil)
        #expect(value["l"][1][0].int == 2 && value["l"][9].isNull && value["l"][-1].isNull)
        #expect(value["n"].isNull && value["none"]["deeper"][3].isNull && value["s"]["x"].isNull)
        #expect(value["s"].string == "x" && value["l"].array?.count == 2)
        #expect(value == value.removingNulls() || value["n"].isNull)
        #expect(value["b"] != value["one"])
        #expect(value.foundationObject is [String: Any])
    }

    struct User: Decodable, Equatable {
        var name: String
        var age: Int
    }

    @Test func decoding() throws {
        #expect(try answer(#"{"name":"Ada","age":36}"#).decode(User.self) == User(name: "Ada", age: 36))
        #expect(try answer("", status: 204).decode(User?.self) == nil)
        #expect(code { _ = try answer("", status: 204).decode(User.self) } == "undecodable-content")
        #expect(code { _ = try answer("{}", type: "text/html").decode(User.self) } == "unacceptable-content-type")
        let reasons = [
            (#"{"name":"Ada"}"#, "there is no “age”"), (#"[{"name":1}]"#, "[0].name: "), ("{", ""),
        ]
        for (text, reason) in reasons {
            #expect {
                if text.hasPrefix("[") {
                    _ = try answer(text).decode([User].self)
                } else {
                    _ = try answer(text).decode(User.self)
                }
            } throws: {
                guard case .undecodableContent(let found, _, let body)? = $0 as? HTTPError else { return false }
                return found.contains(reason) && body == Data(text.utf8)
            }
        }
    }

    @Test("A refusal is told with its body, which can be decoded")
    func refusal() throws {
        let refused = try answer(#"{"name":"no","age":0}"#, type: "text/html", status: 404)
        do throws(HTTPError) {
            _ = try refused.decode(Int.self)
            Issue.record("a 404 was accepted")
        } catch {
            #expect(error.code == "unacceptable-status")
            #expect(error.response?.status == .notFound)
            #expect(try error.decode(User.self) == User(name: "no", age: 0))
            #expect(error.description == "the server answered 404 Not Found; check the address and what was sent")
        }
        #expect(HTTPError.cancelled.body == nil)
        #expect(throws: HTTPError.cancelled) { try HTTPError.cancelled.decode(User.self) }
    }

    @Test("AFNetworking 16: a parser and a document of XML")
    func xml() throws {
        for type in ["application/xml", "text/xml", "application/rss+xml"] {
            let parser = try answer("<foo><bar/></foo>", type: type).serialize(with: XMLParserResponseSerializer())
            #expect(parser.parse())
            #expect(try answer("<foo a='1'/>", type: type).xmlDocument().rootElement()?.name == "foo")
        }
        let odd = try answer("<foo/>", type: "nonstandard/xml")
        #expect(code { _ = try odd.serialize(with: XMLParserResponseSerializer()) } == "unacceptable-content-type")
        for bad in ["<foo", "", "no xml"] {
            #expect(code { _ = try answer(bad, type: "text/xml").xmlDocument() } == "undecodable-content", "\(bad)")
        }
    }

    @Test func xmlLoadsNothingFromOutside() throws {
        let secret = FileManager.default.temporaryDirectory.appending(path: "magpie-\(UUID().uuidString)")
        try Data("secret".utf8).write(to: secret)
        defer { try? FileManager.default.removeItem(at: secret) }
        let text = "<!DOCTYPE a [<!ENTITY e SYSTEM \"\(secret.absoluteString)\">]><a>&e;</a>"
        let document = try? answer(text, type: "text/xml").xmlDocument()
        #expect(document?.rootElement()?.stringValue?.contains("secret") != true)
    }

    @Test("AFNetworking 17: a property list, good, bad, and none")
    func propertyList() throws {
        let xml = try PropertyListEncoder().encode(["name": "Ada"])
        let list = try answer(xml, type: "application/x-plist").propertyList() as? [String: String]
        #expect(list == ["name": "Ada"])
        let name = try answer(xml, type: "application/x-plist").decode(
            [String: String].self,
            decoder: PropertyListDecoder()
        )
        #expect(name == ["name": "Ada"])
        #expect(
            code { _ = try answer(#"{"a":1}x"#, type: "application/x-plist").propertyList() } == "undecodable-content"
        )
        #expect(try answer("", type: nil, status: 204).propertyList() == nil)
    }

    @Test("AFNetworking 18: of several serializers the first that makes a value wins")
    func compound() throws {
        enum Kind: Equatable {
            case json(Int?)
            case text(String)
        }
        let text = StringResponseSerializer(validation: .init(acceptableContentTypes: ["text/*"]))
        let both = CompoundResponseSerializer<Kind>([
            JSONResponseSerializer().map { .json($0["a"].int) }, text.map { .text($0) },
        ])
        #expect(try answer(#"{"a":1}"#).serialize(with: both) == .json(1))
        #expect(try answer("hello", type: "text/plain").serialize(with: both) == .text("hello"))
        #expect(code { _ = try answer("{", type: "application/json").serialize(with: both) } == "undecodable-content")
        #expect(code { _ = try answer("x", type: "image/png").serialize(with: both) } == "unacceptable-content-type")
        #expect(code { _ = try answer("{}", status: 500).serialize(with: both) } == "unacceptable-status")
        #expect(
            code { _ = try answer("x").serialize(with: CompoundResponseSerializer<Int>([])) } == "undecodable-content"
        )
    }

    @Test func checksOfOnesOwn() throws {
        var validation = HTTPResponseValidation()
        validation.checks = [
            { response throws(HTTPError) in
                if response.headerFields[.etag] == nil { throw .malformedResponse(reason: "no tag") }
            }
        ]
        #expect(throws: HTTPError.malformedResponse(reason: "no tag")) { try answer("x").validate(validation) }
    }

    @Test(
        "Text is read in the encoding that the answer names",
        arguments: [
            ([0xE9], "text/plain; charset=ISO-8859-1", "é"), ([0x80], "text/plain;charset=\"windows-1252\"", "€"),
            ([0xA4], "text/plain; x=\";\"; charset=iso-8859-15", "€"), ([0xC3, 0xA9], "text/plain", "é"),
            ([0xC3, 0xA9], nil, "é"), ([0xEF, 0xBB, 0xBF, 0x61], "text/plain; charset=iso-8859-1", "a"),
            ([0xFF, 0xFE, 0x61, 0x00], "text/plain", "a"),
            ([0xFE, 0xFF, 0x00, 0x61], "text/plain; charset=utf-16", "a"),
            ([0x61, 0x00], "text/plain; charset=utf-16", "a"), ([0x82, 0xA0], "text/html; charset=Shift_JIS", "あ"),
            ([0xC4, 0xE3], "text/html; charset=gb2312", "你"), ([0xD4], "text/html; charset=koi8-r", "т"),
            ([], "text/plain", ""), ([0x61], "text/plain; charset=", "a"), ([0x61], "text/plain; charset", "a"),
        ] as [([UInt8], String?, String)]
    )
    func text(bytes: [UInt8], type: String?, text: String) throws {
        #expect(try answer(Data(bytes), type: type).string() == text)
    }

    @Test func textThatIsNone() throws {
        let wrong = try answer(Data([0xFF, 0x61]), type: "text/plain; charset=utf-8")
        #expect(code { _ = try wrong.string() } == "undecodable-content")
        #expect(code { _ = try answer("a", type: "text/plain; charset=klingon").string() } == "undecodable-content")
        #expect(try answer(Data([0xE9]), type: nil).string(defaultEncoding: .isoLatin1) == "é")
    }
}
