import Foundation
import MagpieHTTP
import Testing

/// The value types: fields, names, methods, statuses, errors.
struct FieldTests {
    @Test func namesIgnoreCase() throws {
        let fields: HTTPFields = [.contentType: "text/html"]
        let name = try #require(HTTPField.Name("CONTENT-type"))
        #expect(fields[name] == "text/html")
        #expect(name == .contentType)
        #expect(name.rawName == "CONTENT-type")
        #expect(name.canonicalName == "content-type")
        #expect(Set([name, .contentType]).count == 1)
    }

    @Test(arguments: ["", " ", "a b", "a:b", "a\r\nb", "é", "a\u{0}"])
    func namesAreTokens(text: String) { #expect(HTTPField.Name(text) == nil) }

    @Test(arguments: [
        ("a\r\nSet-Cookie: b", "a  Set-Cookie: b"), ("\u{0}a", "a"), ("  a \t", "a"), (" \r\n", ""), ("ü", "ü"),
    ])
    func valuesStartNoOtherField(given: String, kept: String) {
        var field = HTTPField(name: .accept, value: given)
        #expect(field.value == kept)
        field.value = given
        #expect(field.value == kept)
    }

    @Test func repeatedFieldsStayInOrder() {
        var fields: HTTPFields = [.setCookie: "a=1", .accept: "x", .setCookie: "b=2"]
        #expect(fields[values: .setCookie] == ["a=1", "b=2"])
        #expect(fields[.setCookie] == "a=1, b=2")
        fields[.accept] = nil
        fields.append(HTTPField(name: .via, value: "v"))
        #expect(fields.map(\.value) == ["a=1", "b=2", "v"])
        fields[.setCookie] = "c=3"
        #expect(fields.map(\.description) == ["Set-Cookie: c=3", "Via: v"])
        fields[values: .via] = ["1", "2"]
        #expect(fields.count == 3)
        #expect(fields.contains(.via))
        #expect(!fields.contains(.host))
    }

    @Test func methodsAreTokens() {
        #expect(HTTPRequest.Method(rawValue: "PURGE")?.rawValue == "PURGE")
        #expect(HTTPRequest.Method(rawValue: "GET / HTTP/1.1\r\n") == nil)
        #expect(HTTPRequest.Method(rawValue: "") == nil)
    }

    @Test func statusKinds() {
        #expect(HTTPResponse.Status(code: 404).description == "404 Not Found")
        #expect(
            [100, 200, 301, 404, 503, 999].map { HTTPResponse.Status(code: $0).kind }
                == [.informational, .successful, .redirection, .clientError, .serverError, .invalid]
        )
        #expect(HTTPResponse.Status(code: 200, reasonPhrase: "Fine") == .ok)
    }

    @Test func contentLengthIsANumberOrNothing() throws {
        let url = try #require(URL(string: "http://a/"))
        let length = { HTTPResponse(status: .ok, headerFields: [.contentLength: $0], url: url).contentLength }
        #expect(length("12") == 12)
        #expect(length("-1") == nil)
        #expect(length("99999999999999999999") == nil)
        #expect(length("1, 1") == nil)
    }

    @Test func progressFraction() {
        #expect(HTTPProgress(completed: 1, expected: 4).fraction == 0.25)
        #expect(HTTPProgress(completed: 5, expected: 4).fraction == 1)
        #expect(HTTPProgress(completed: 0, expected: 0).fraction == 1)
        #expect(HTTPProgress(completed: 5).fraction == nil)
    }

    @Test func errorsAreSentences() throws {
        let url = try #require(URL(string: "http://a/"))
        let errors: [HTTPError] = [
            .invalidURL("x"), .unsupportedScheme("ftp", url), .cancelled, .sessionInvalidated, .unknownHost("h"),
            .connectionRefused(host: "h", port: 1), .cannotConnect(host: "h", port: 1, reason: "r"),
            .timedOut(stage: .connect, after: .seconds(2)), .timedOut(stage: .idle, after: .milliseconds(250)),
            .timedOut(stage: .total, after: .seconds(1)), .untrustedCertificate(host: "h", problem: .expired(on: "d")),
            .secureConnectionFailed(host: "h", reason: "r"), .connectionLost(reason: "r"),
            .unreadableCertificateFile("f"),
            .bodyTooShort(received: 1, expected: 2), .bodyTooShort(received: 1, expected: nil),
            .tooManyRedirects(limit: 1), .badRedirect(location: "l", from: url), .responseTooLarge(limit: 3),
            .undecodableBody(reason: "r"), .malformedResponse(reason: "r"), .transport(code: 1, message: "m"),
        ]
        for error in errors {
            #expect(error.description != error.code)
            #expect(!error.description.contains("\n"))
            #expect(error.localizedDescription == error.description)
        }
        #expect(errors[7].description.contains("2 s"))
        #expect(errors[8].description.contains("0.25 s"))
        #expect(errors[4].code == "unknown-host")
    }
}
