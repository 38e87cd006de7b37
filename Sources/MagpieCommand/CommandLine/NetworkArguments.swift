import Foundation
import MagpieHTTP

/// The options about servers that all subcommands share which ask any, and what they mean to the library.
enum NetworkArguments {
    static let options: [CommandOption] = [
        .value("user", nil, "U:P", "send a user name and a password"),
        .flag("insecure", nil, "accept any certificate"),
        .value("pin", nil, "sha256//B64", "accept only certificates with this public key; may be repeated"),
        .value("cacert", nil, "FILE", "trust the certificate authorities in FILE"),
        .value("timeout", nil, "S", "give up after S seconds"),
    ]

    /// The user name and the password.
    static func credential(_ arguments: ParsedArguments) throws(UsageError) -> HTTPCredential? {
        guard let text = arguments.value("user") else { return nil }
        guard let colon = text.firstIndex(of: ":") else { throw UsageError("--user takes NAME:PASSWORD") }
        return HTTPCredential(user: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
    }

    /// Which servers to believe.
    static func trust(_ arguments: ParsedArguments) throws(UsageError) -> HTTPTrust {
        let keys = try arguments.values("pin").map { (pin) throws(UsageError) in
            guard pin.hasPrefix("sha256//"), Data(base64Encoded: String(pin.dropFirst(8)))?.count == 32 else {
                throw UsageError("--pin takes sha256// and the 44 characters of a key's hash in base 64, not '\(pin)'")
            }
            return pin
        }
        return HTTPTrust(
            caFile: try arguments.fileName("cacert").map { URL(fileURLWithPath: $0) },
            allowsUntrustedCertificates: arguments.has("insecure"),
            pinnedPublicKeys: keys
        )
    }

    /// How long to wait; nil leaves it to the library.
    static func timeouts(_ arguments: ParsedArguments) throws(UsageError) -> HTTPTimeouts? {
        try arguments.seconds("timeout").map { HTTPTimeouts(connect: $0, idle: $0, total: $0) }
    }
}
