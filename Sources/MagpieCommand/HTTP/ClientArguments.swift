import Foundation
import MagpieHTTP

/// The options about how to talk to servers, and what they mean to the library.
enum ClientArguments {
    static let options: [CommandOption] = [
        .value("user", nil, "U:P", "send a user name and a password, or a token"),
        .value("auth-type", nil, "T", "how to send them: basic, digest or bearer (default basic)"),
        .flag("follow", nil, "follow redirects (default)"),
        .flag("no-follow", nil, "show redirects instead of following them"),
        .value("max-redirects", nil, "N", "follow at most N redirects (default 10)"),
        .value("retry", nil, "N", "ask up to N times more where that may help"),
        .flag("insecure", nil, "accept any certificate"),
        .value("pin", nil, "sha256//B64", "accept only certificates with this public key; may be repeated"),
        .value("cacert", nil, "FILE", "trust the certificate authorities in FILE"),
        .value("cert", nil, "FILE", "show the certificate in FILE to the server"),
        .value("key", nil, "FILE", "the private key of the certificate"),
        .flag("http1.1", nil, "speak HTTP/1.1 only"),
        .flag("http2", nil, "speak HTTP/2 where the server can (default)"),
        .flag("compressed", nil, "ask for a compressed body, and decode it"),
        .value("timeout", nil, "S", "give up after S seconds"),
    ]

    /// The configuration that the options describe.
    static func configuration(_ arguments: ParsedArguments) throws(UsageError) -> HTTPSession.Configuration {
        var configuration = HTTPSession.Configuration()
        configuration.decompresses = arguments.has("compressed")
        if let limit = try arguments.seconds("timeout") {
            configuration.timeouts = HTTPTimeouts(connect: limit, idle: limit, total: limit)
        }
        configuration.redirects = try redirects(arguments)
        configuration.trust = HTTPTrust(policy: try trust(arguments))
        if let count = try arguments.integer("retry", in: 0...100), count > 0 {
            configuration.interceptors = [.retry(.exponential(limit: count))]
        }
        if arguments.has("http1.1") {
            if arguments.has("http2") { throw UsageError("--http1.1 and --http2 exclude each other") }
            configuration.versions = .http1Only
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

    private static func trust(_ arguments: ParsedArguments) throws(UsageError) -> HTTPTrust.Policy {
        var policy = HTTPTrust.Policy.system
        if let file = arguments.value("cacert") { policy.authorities = .file(URL(fileURLWithPath: file)) }
        if arguments.has("insecure") {
            policy.allowsInvalidCertificates = true
            policy.validatesDomainName = false
        }
        let pins = try pins(arguments)
        if !pins.isEmpty { policy.pinning = .publicKeys(pins) }
        if let file = arguments.value("cert") {
            let certificate = URL(fileURLWithPath: file)
            let key = arguments.value("key").map { URL(fileURLWithPath: $0) } ?? certificate
            policy.clientIdentity = .pem(certificate: certificate, key: key)
        } else if arguments.has("key") {
            throw UsageError("--key goes with --cert FILE")
        }
        return policy
    }

    /// The public keys that `--pin` names.
    static func pins(_ arguments: ParsedArguments) throws(UsageError) -> [String] {
        try arguments.values("pin").map { (pin) throws(UsageError) in
            guard pin.hasPrefix("sha256//"), Data(base64Encoded: String(pin.dropFirst(8)))?.count == 32 else {
                throw UsageError("--pin takes sha256// and the 44 characters of a key's hash in base 64, not '\(pin)'")
            }
            return pin
        }
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
        guard let colon = user.firstIndex(of: ":") else { throw UsageError("--user takes NAME:PASSWORD") }
        let credential = HTTPCredential(
            user: String(user[..<colon]),
            password: String(user[user.index(after: colon)...])
        )
        // Digest needs the server's challenge first; a basic password is sent with the first request.
        if type == "digest" {
            configuration.credential = credential
        } else {
            configuration.headerFields[.authorization] = credential.authorization
        }
    }
}
