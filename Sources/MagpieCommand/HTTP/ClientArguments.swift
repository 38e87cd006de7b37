import Foundation
import MagpieHTTP

/// The options about how to talk to servers, and what they mean to the library.
enum ClientArguments {
    static let options: [CommandOption] =
        NetworkArguments.options + [
            .value("auth-type", nil, "T", "how to send --user: basic, digest or bearer, for a token (default basic)"),
            .flag("follow", nil, "follow redirects (default)"),
            .flag("no-follow", nil, "show redirects instead of following them"),
            .value("max-redirects", nil, "N", "follow at most N redirects (default 10)"),
            .value("retry", nil, "N", "ask up to N times more where that may help"),
            .value("cert", nil, "FILE", "show the certificate in FILE to the server"),
            .value("key", nil, "FILE", "the private key of the certificate"),
            .value("proxy", nil, "URL", "go through this proxy (http, https, socks4, socks4a, socks5 or socks5h)"),
            .flag("http1.1", nil, "speak HTTP/1.1 only"),
            .flag("http2", nil, "speak HTTP/2: with https where the server can (default), with http at once"),
            .flag("compressed", nil, "ask for a compressed body, and decode it"),
            .value("cookie-jar", nil, "FILE", "send the cookies in FILE, and keep there those that are set"),
        ]

    /// The configuration that the options describe, for a request to an address.
    static func configuration(
        _ arguments: ParsedArguments,
        for url: URL
    ) throws(UsageError) -> HTTPSession.Configuration {
        var configuration = HTTPSession.Configuration()
        configuration.decompresses = arguments.has("compressed")
        if let timeouts = try NetworkArguments.timeouts(arguments) { configuration.timeouts = timeouts }
        configuration.redirects = try redirects(arguments)
        configuration.trust = try NetworkArguments.trust(arguments)
        configuration.trust.policy.clientIdentity = try identity(arguments)
        configuration.versions = try versions(arguments, for: url)
        if let count = try arguments.integer("retry", in: 0...100), count > 0 {
            configuration.interceptors = [.retry(.exponential(limit: count))]
        }
        if let proxy = arguments.value("proxy") {
            configuration.connection.proxy = .server(try RequestAddress.proxy(proxy))
        }
        try setCredential(of: &configuration, arguments)
        return configuration
    }

    private static func redirects(_ arguments: ParsedArguments) throws(UsageError) -> HTTPRedirectPolicy {
        let limit = try arguments.integer("max-redirects", in: 0...1000)
        guard arguments.has("no-follow") else { return limit.map { .follow(limit: $0) } ?? .follow }
        if arguments.has("follow") || limit != nil {
            throw UsageError("--no-follow goes with neither --follow nor --max-redirects")
        }
        return .none
    }

    private static func versions(
        _ arguments: ParsedArguments,
        for url: URL
    ) throws(UsageError) -> HTTPTransportSettings.VersionPreference {
        switch (arguments.has("http1.1"), arguments.has("http2")) {
        case (true, true): throw UsageError("--http1.1 and --http2 exclude each other")
        case (true, false): return .http1Only
        // Without TLS there is nothing to agree on the version by.
        case (false, true): return url.scheme?.lowercased() == "http" ? .http2PriorKnowledge : .automatic
        case (false, false): return .automatic
        }
    }

    /// What this side shows of itself to servers that ask.
    private static func identity(_ arguments: ParsedArguments) throws(UsageError) -> HTTPClientIdentity? {
        guard let file = try arguments.fileName("cert") else {
            if arguments.has("key") { throw UsageError("--key goes with --cert FILE") }
            return nil
        }
        let certificate = URL(fileURLWithPath: file)
        let key = try arguments.fileName("key").map { URL(fileURLWithPath: $0) } ?? certificate
        return .pem(certificate: certificate, key: key)
    }

    private static func setCredential(
        of configuration: inout HTTPSession.Configuration,
        _ arguments: ParsedArguments
    ) throws(UsageError) {
        let type = arguments.value("auth-type") ?? "basic"
        guard ["basic", "digest", "bearer"].contains(type) else {
            throw UsageError("--auth-type takes basic, digest or bearer, not '\(type)'")
        }
        guard let user = arguments.value("user") else {
            if arguments.has("auth-type") { throw UsageError("--auth-type goes with --user") }
            return
        }
        if type == "bearer" {
            configuration.headerFields[.authorization] = HTTPCredential.bearer(user).authorization
            return
        }
        // Digest needs the server's challenge first; a basic password is sent with the first request.
        let credential = try NetworkArguments.credential(arguments)
        if type == "digest" {
            configuration.credential = credential
        } else {
            configuration.headerFields[.authorization] = credential?.authorization
        }
    }
}
