import Foundation

/// How a request proves who asks: with a user's name and password, or with a token.
///
/// A password is sent only after a server has asked for it, as the server's challenge says: hashed where it offers
/// digest authentication (RFC 7616), else as basic authentication (RFC 7617). A token is sent at once (RFC 6750).
public struct HTTPCredential: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case password(user: String, password: String)
        case token(String)
    }

    package let kind: Kind

    /// A user's name and password; the name of basic authentication can hold no colon.
    public init(user: String, password: String) { kind = .password(user: user, password: password) }

    private init(token: String) { kind = .token(token) }

    /// A bearer token.
    public static func bearer(_ token: String) -> Self { Self(token: token) }

    /// The value of an `Authorization` field for basic authentication, in UTF-8, or for a bearer token.
    ///
    /// For servers that expect a password without asking for it.
    public var authorization: String {
        switch kind {
        case .password(let user, let password):
            "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
        case .token(let token): "Bearer \(token)"
        }
    }
}

/// Secrets are not written into logs.
extension HTTPCredential: CustomStringConvertible, CustomDebugStringConvertible {
    /// The user's name, or that it is a token.
    public var description: String {
        switch kind {
        case .password(let user, _): "\(user):***"
        case .token: "token ***"
        }
    }

    /// The same as `description`.
    public var debugDescription: String { description }
}
