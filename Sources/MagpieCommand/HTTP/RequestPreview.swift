import Foundation
import MagpieHTTP

/// Prints a request as it would be sent over HTTP/1.1, and sends nothing: the request goes to this process itself.
enum RequestPreview {
    /// Writes the head and the body to standard output.
    static func print(_ request: HTTPRequest, _ configuration: HTTPSession.Configuration) async throws {
        guard ["http", "https"].contains(request.url.scheme?.lowercased()) else {
            throw HTTPError.unsupportedScheme(request.url.scheme ?? "", request.url)
        }
        let listener = try PreviewListener()
        let place = "\(userInformation(of: request.url))127.0.0.1:\(listener.port)"
        guard let address = URL(string: "http://\(place)\(target(of: request.url))") else {
            throw HTTPError.invalidURL(request.url.absoluteString)
        }
        var copy = request
        copy.url = address
        if !copy.headerFields.contains(.host) { copy.headerFields[.host] = authority(of: request.url) }
        if !copy.headerFields.contains(.cookie) {
            copy.headerFields[.cookie] = configuration.cookieJar?.fieldValue(for: request.url)
        }
        var configuration = configuration
        configuration.interceptors = []
        configuration.credential = nil
        configuration.cookieJar = nil
        configuration.versions = .http1Only
        // What is asked of servers far away does not apply to this process.
        configuration.trust = .system
        configuration.connection = HTTPConnectionSettings(proxy: .none)
        configuration.timeouts = HTTPTimeouts()
        async let hasCome = listener.printRequest()
        var failure: HTTPError?
        do throws(HTTPError) {
            _ = try await HTTPSession(configuration: configuration).data(for: copy)
        } catch {
            failure = error
            listener.stop()
        }
        if try await !hasCome, let failure { throw failure }
    }

    /// The path and the query, as they stand in the request line (RFC 9112 §3.2.1).
    private static func target(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        return (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
    }

    /// The name and the password in an address, of which the transport makes a field.
    private static func userInformation(of url: URL) -> String {
        guard let user = url.user(percentEncoded: true) else { return "" }
        return user + (url.password(percentEncoded: true).map { ":\($0)" } ?? "") + "@"
    }

    private static func authority(of url: URL) -> String {
        let host = url.host(percentEncoded: true) ?? ""
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return url.port.map { "\(name):\($0)" } ?? name
    }
}
