import Foundation
import Testing

@testable import MagpieHTTP

/// RFC 9111 §3, §4.1, §4.3.
struct HTTPCacheRulesTests {
    private let url = URL(filePath: "/x")

    private func isStorable(
        _ fields: HTTPFields,
        status: Int = 200,
        method: HTTPRequest.Method = .get,
        requestFields: HTTPFields = [:]
    ) -> Bool {
        let request = HTTPRequest(method: method, url: url, headerFields: requestFields)
        let status = HTTPResponse.Status(code: status)
        return HTTPCacheRules.isStorable(HTTPResponse(status: status, headerFields: fields, url: url), to: request)
    }

    @Test func storesWhatAPrivateCacheMay() {
        #expect(isStorable([:]))
        #expect(isStorable([.cacheControl: "private"]))
        #expect(isStorable([.cacheControl: "no-cache"]))
        #expect(isStorable([:], requestFields: [.authorization: "Basic eDp5"]))
        #expect(isStorable([.vary: "Accept"]))
        for status in [203, 204, 300, 301, 308, 404, 405, 410, 414, 501] { #expect(isStorable([:], status: status)) }
        #expect(isStorable([.cacheControl: "max-age=1"], status: 302))
        #expect(isStorable([.expires: "0"], status: 500))
    }

    @Test func leavesTheRest() {
        #expect(!isStorable([.cacheControl: "no-store, max-age=60"]))
        #expect(!isStorable([:], requestFields: [.cacheControl: "no-store"]))
        #expect(!isStorable([.vary: "*"]))
        #expect(!isStorable([.vary: "Accept, *"]))
        #expect(!isStorable([.cacheControl: "max-age=60"], status: 206))
        #expect(!isStorable([.cacheControl: "max-age=60"], status: 304))
        // Told again, a challenge would ask for what has been given since.
        #expect(!isStorable([.cacheControl: "max-age=60"], status: 401))
        #expect(!isStorable([.cacheControl: "max-age=60"], status: 407))
        #expect(!isStorable([:], requestFields: [.range: "bytes=0-1"]))
        for status in [302, 307, 400, 401, 403, 500, 503] { #expect(!isStorable([:], status: status)) }
        for method in [HTTPRequest.Method.head, .post, .put] {
            #expect(!isStorable([.cacheControl: "max-age=60"], method: method))
        }
    }

    @Test func comparesTheFieldsThatVaryNames() {
        let variants = HTTPCacheEntry.Variants(fieldNames: ["accept", "cookie"], generation: "g")
        let key = { HTTPCacheRules.variantKey(variants, of: HTTPRequest(url: url, headerFields: $0)) }
        #expect(key([.accept: "a,  b", .cookie: "x=1"]) == key([.cookie: "x=1", .accept: "a,b"]))
        #expect(key([.accept: "a", .accept: "b"]) == key([.accept: "a, b"]))
        #expect(key([.accept: "a"]) != key([.accept: "b"]))
        #expect(key([.accept: ""]) != key([:]))
        #expect(HTTPCacheRules.variantFieldNames([.vary: "Cookie, Accept", .vary: "ACCEPT"]) == ["accept", "cookie"])
    }

    @Test func takesTheFieldsOfA304() {
        let stored: HTTPFields = [
            .etag: "\"1\"", .contentLength: "10", .contentType: "text/plain", .cacheControl: "max-age=1", .age: "500",
            .server: "old", .server: "older", .link: "kept",
        ]
        let new: HTTPFields = [
            .cacheControl: "max-age=60", .contentLength: "0", .contentType: "text/html", .contentEncoding: "gzip",
            .server: "new", .connection: "close, X-Hop", .setCookie: "a=b", .date: "Sun, 06 Nov 1994 08:49:37 GMT",
        ]
        let head = HTTPCacheEntry.Head(
            response: HTTPResponse(status: 200, headerFields: stored, url: url),
            requestTime: .distantPast,
            responseTime: .distantPast
        )
        let updated = HTTPCacheRules.updated(
            head,
            by: HTTPResponse(status: 304, headerFields: new, url: url),
            requestTime: .distantFuture,
            responseTime: .distantFuture
        )
        let fields = updated.response.headerFields
        #expect(updated.response.status == 200 && updated.responseTime == .distantFuture)
        #expect(fields[.cacheControl] == "max-age=60" && fields[values: .server] == ["new"])
        #expect(fields[.contentLength] == "10" && fields[.contentType] == "text/plain" && fields[.link] == "kept")
        #expect(fields[.date] != nil)
        for name in [HTTPField.Name.contentEncoding, .connection, .setCookie, .age] { #expect(!fields.contains(name)) }
    }

    @Test func knowsWhichVersionA304SpeaksOf() {
        let isValidation = { (old: HTTPFields, new: HTTPFields) in
            let head = HTTPCacheEntry.Head(
                response: HTTPResponse(status: 200, headerFields: old, url: url),
                requestTime: .distantPast,
                responseTime: .distantPast
            )
            return HTTPCacheRules.isValidation(HTTPResponse(status: 304, headerFields: new, url: url), of: head)
        }
        #expect(isValidation([.etag: "\"1\""], [.etag: "\"1\""]))
        #expect(isValidation([.etag: "\"1\""], [:]))
        #expect(isValidation([.etag: "\"1\""], [.etag: "W/\"2\""]))
        #expect(!isValidation([.etag: "\"1\""], [.etag: "\"2\""]))
    }
}
