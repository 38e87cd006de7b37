import Foundation
import MagpieHTTP
import Testing

/// What the request serializers make of a request.
struct RequestSerializerTests {
    private func request(_ method: HTTPRequest.Method, _ address: String = "http://host/path") throws -> HTTPRequest {
        HTTPRequest(method: method, url: try #require(URL(string: address)))
    }

    private func body(_ request: HTTPRequest) throws -> String {
        String(decoding: try #require(request.body?.data), as: UTF8.self)
    }

    @Test("AFNetworking 1: a POST carries a form, and an empty one without parameters")
    func formOfAPost() throws {
        let filled = try FormRequestSerializer().serialize(["key": "value"], into: request(.post))
        #expect(try body(filled) == "key=value")
        #expect(filled.headerFields[.contentType] == "application/x-www-form-urlencoded")
        let empty = try FormRequestSerializer().serialize(nil, into: request(.post))
        #expect(empty.body?.data == Data())
        #expect(empty.headerFields[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test("AFNetworking 2: a GET carries a query, and none without parameters", arguments: ["GET", "HEAD", "DELETE"])
    func queryOfAGet(name: String) throws {
        let method = try #require(HTTPRequest.Method(rawValue: name))
        let filled = try FormRequestSerializer().serialize(["key": "value"], into: request(method))
        #expect(filled.url.absoluteString == "http://host/path?key=value")
        #expect(filled.body == nil)
        #expect(!filled.headerFields.contains(.contentType))
        let empty = try FormRequestSerializer().serialize([:], into: request(method))
        #expect(empty.url.absoluteString == "http://host/path")
    }

    @Test(
        "Parameters go behind the query and before the fragment",
        arguments: [
            ("http://host/p", "http://host/p?a=1"), ("http://host/p?x=%20", "http://host/p?x=%20&a=1"),
            ("http://host/p?", "http://host/p?&a=1"), ("http://host/p#f?g", "http://host/p?a=1#f?g"),
            ("http://host/p?x#f", "http://host/p?x&a=1#f"), ("http://host", "http://host?a=1"),
        ]
    )
    func placeOfTheQuery(before: String, after: String) throws {
        let result = try FormRequestSerializer().serialize(["a": 1], into: request(.get, before))
        #expect(result.url.absoluteString == after)
    }

    @Test func theMethodsWithAQueryAreASetting() throws {
        var serializer = FormRequestSerializer()
        serializer.methodsEncodingParametersInURI = [.post]
        #expect(try serializer.serialize(["a": 1], into: request(.post)).url.query() == "a=1")
        #expect(try body(serializer.serialize(["a": 1], into: request(.delete))) == "a=1")
    }

    @Test("AFNetworking 6: a closure may write the query, and its error ends the request as it is")
    func customQuery() throws {
        let star = FormRequestSerializer(querySerialization: { _, _ in "key**value" })
        #expect(try star.serialize(["key": "value"], into: request(.get)).url.query() == "key**value")
        #expect(try body(star.serialize(["key": "value"], into: request(.post))) == "key**value")
        let failing = FormRequestSerializer(querySerialization: { _, _ in throw HTTPError.invalidURL("mine") })
        #expect(throws: HTTPError.invalidURL("mine")) { try failing.serialize(["a": 1], into: request(.get)) }
        let foreign = FormRequestSerializer(querySerialization: { _, _ in throw CocoaError(.featureUnsupported) })
        #expect { try foreign.serialize(["a": 1], into: request(.get)) } throws: {
            ($0 as? HTTPError)?.code == "unserializable-request"
        }
    }

    @Test("AFNetworking 9: JSON of a dictionary and an array; a set and a number that is none are refused")
    func json() throws {
        let serializer = JSONRequestSerializer()
        let object = try serializer.serialize(["key": "value"], into: request(.post))
        #expect(try body(object) == #"{"key":"value"}"#)
        #expect(object.headerFields[.contentType] == "application/json")
        #expect(try body(serializer.serialize([["key": "value"]], into: request(.post))) == #"[{"key":"value"}]"#)
        for bad in [["k": .set([1])], ["k": .double(.nan)]] as [HTTPParameters] {
            #expect { try serializer.serialize(bad, into: request(.post)) } throws: {
                guard case .unserializableRequest(let reason)? = $0 as? HTTPError else { return false }
                return reason.hasPrefix("k: ")
            }
        }
    }

    @Test func jsonOfEveryKind() throws {
        let parameters: HTTPParameters = [
            "n": .null, "t": true, "i": -3, "d": 0.5, "s": "a/\"é\u{2028}👨‍👩‍👧", "l": [1, "x", [:]],
            "date": .date(Date(timeIntervalSince1970: 0)), "data": .data(Data([0xFF])),
            "big": .decimal(Decimal(UInt64.max)),
            "twice": 1, "twice": 2,
        ]
        let text = try body(JSONRequestSerializer().serialize(parameters, into: request(.put)))
        #expect(
            text == #"{"big":18446744073709551615,"d":0.5,"data":"/w==","date":"1970-01-01T00:00:00Z","i":-3,"#
                + #""l":[1,"x",{}],"n":null,"s":"a/\"é"# + "\u{2028}" + #"👨‍👩‍👧","t":true,"twice":2}"#
        )
    }

    @Test func jsonWithoutParametersHasNoBody() throws {
        let post = try JSONRequestSerializer().serialize(nil, into: request(.post))
        #expect(post.body == nil)
        #expect(!post.headerFields.contains(.contentType))
        #expect(try JSONRequestSerializer().serialize(["a": 1], into: request(.get)).url.query() == "a=1")
    }

    @Test("AFNetworking 10: a property list of a dictionary; null, of which it has none, is refused")
    func propertyList() throws {
        let serializer = PropertyListRequestSerializer()
        let list = try serializer.serialize(["key": "value"], into: request(.post))
        #expect(list.headerFields[.contentType] == "application/x-plist")
        let text = try body(list)
        #expect(text.contains("<key>key</key>") && text.contains("<string>value</string>"))
        #expect(throws: HTTPError.self) { try serializer.serialize(["key": [.null]], into: request(.post)) }
        #expect(throws: HTTPError.self) { try serializer.serialize("text", into: request(.post)) }
        #expect(try serializer.serialize(nil, into: request(.post)).body == nil)
        let binary = try PropertyListRequestSerializer(format: .binary).serialize(["a": 1], into: request(.post))
        #expect(binary.body?.data?.starts(with: Data("bplist".utf8)) == true)
    }

    @Test(arguments: [.form, .json, .propertyList] as [any HTTPRequestSerializer])
    func aTypeThatIsSetIsKept(serializer: any HTTPRequestSerializer) throws {
        var request = try request(.post)
        request.headerFields[.contentType] = "application/mine"
        #expect(try serializer.serialize(["a": 1], into: request).headerFields[.contentType] == "application/mine")
    }

    @Test func authorization() {
        // RFC 7617 §2 and §2.1.
        #expect(
            HTTPFields.authorization(basic: "Aladdin", password: "open sesame")[.authorization]
                == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
        )
        #expect(HTTPFields.authorization(basic: "test", password: "123£")[.authorization] == "Basic dGVzdDoxMjPCow==")
        #expect(HTTPFields.authorization(bearer: "mF_9.B5f-4.1JqM")[.authorization] == "Bearer mF_9.B5f-4.1JqM")
    }
}
