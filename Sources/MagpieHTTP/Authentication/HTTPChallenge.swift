import Foundation

/// What a server or proxy wants to know before it answers (RFC 9110 §11.3).
public struct HTTPChallenge: Sendable, Hashable {
    /// The scheme in lower case, such as `basic` or `digest`.
    public var scheme: String

    /// The parameters by their names in lower case.
    public var parameters: [String: String]

    /// What stands in place of parameters in schemes such as `negotiate`.
    public var token: String?

    /// Whether a proxy asks, and not the server.
    public var isProxy: Bool

    /// The host that was asked.
    public var host: String

    /// How often the task has answered a challenge before, without success.
    public var previousFailureCount = 0

    /// Makes a challenge.
    public init(
        scheme: String,
        parameters: [String: String] = [:],
        token: String? = nil,
        isProxy: Bool = false,
        host: String = ""
    ) {
        self.scheme = scheme.lowercased()
        self.parameters = parameters
        self.token = token
        self.isProxy = isProxy
        self.host = host
    }

    /// The part of the server for which the credential is wanted; a text for people, and for telling parts apart.
    public var realm: String? { parameters["realm"] }

    /// The challenges of a response with status 401 or 407, in their order; empty for any other.
    public static func all(in response: HTTPResponse) -> [HTTPChallenge] {
        let isProxy = response.status.code == 407
        guard isProxy || response.status.code == 401 else { return [] }
        let values = response.headerFields[values: isProxy ? .proxyAuthenticate : .wwwAuthenticate]
        return all(in: Array(values), isProxy: isProxy, host: response.url.host() ?? "")
    }

    /// The challenges in the values of fields.
    static func all(in values: [String], isProxy: Bool, host: String) -> [HTTPChallenge] {
        values.flatMap { value in
            var parser = ChallengeParser(value)
            return parser.challenges().map { challenge in
                var challenge = challenge
                challenge.isProxy = isProxy
                challenge.host = host
                return challenge
            }
        }
    }

    /// The one to answer: digest with a known algorithm before basic, the stronger algorithm first, then any other.
    static func strongest(of challenges: [HTTPChallenge]) -> HTTPChallenge? {
        challenges.max { $0.strength < $1.strength }
    }

    /// The server knows the password, and wants it hashed with another nonce (RFC 7616 §3.3).
    var isStale: Bool { parameters["stale"]?.lowercased() == "true" }

    private var strength: Int {
        switch scheme {
        case "digest": DigestAnswer.offersAuth(parameters["qop"]) ? DigestAlgorithm(challenge: self)?.strength ?? 0 : 0
        case "basic": 2
        default: 1
        }
    }
}
