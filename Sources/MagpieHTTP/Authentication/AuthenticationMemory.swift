import Foundation
import MagpieConcurrency

/// A request, and the challenge that it answers.
struct AnsweredRequest: Sendable {
    var request: HTTPRequest
    let challenge: AnsweredChallenge?
}

/// A challenge of a server, and how often its nonce was used.
final class AnsweredChallenge: Sendable {
    let challenge: HTTPChallenge
    private let uses = Lock<UInt32>(0)

    init(_ challenge: HTTPChallenge) { self.challenge = challenge }

    /// The number of the next use of the nonce, from 1.
    func nextUse() -> UInt32 {
        uses.withLock { uses in
            uses &+= 1
            return uses
        }
    }
}

/// The challenges that a session has answered: the next request to the same server need not be refused first.
final class AuthenticationMemory: Sendable {
    private struct Key: Hashable {
        let scheme: String
        let host: String
        let port: Int
        let credential: HTTPCredential
    }

    /// How many servers are remembered; beyond that all are forgotten, and ask again.
    private static let capacity = 1000

    private let challenges = Lock<[Key: AnsweredChallenge]>([:])

    /// The request with its answer to a challenge, or nothing where there is no answer that could help.
    func answer(
        _ challenge: HTTPChallenge,
        with credential: HTTPCredential,
        in request: HTTPRequest
    ) -> AnsweredRequest? {
        let answered = AnsweredChallenge(challenge)
        guard let value = Self.authorization(for: answered, credential, request) else { return nil }
        var request = request
        if challenge.isProxy {
            request.headerFields[.proxyAuthorization] = value
            return AnsweredRequest(request: request, challenge: nil)
        }
        request.credential = credential
        request.headerFields[.authorization] = nil
        let key = Self.key(of: request, credential)
        let fresh = AnsweredChallenge(challenge)
        challenges.withLock { challenges in
            if challenges.count >= Self.capacity { challenges.removeAll() }
            challenges[key] = fresh
        }
        return AnsweredRequest(request: request, challenge: fresh)
    }

    /// The request as it is sent: with its token, or with the answer to the challenge that it had, or that its server is
    /// known for.
    func authorize(_ answered: AnsweredRequest) -> HTTPRequest {
        var request = answered.request
        guard let credential = request.credential, !request.headerFields.contains(.authorization) else {
            return request
        }
        if case .token = credential.kind {
            request.headerFields[.authorization] = credential.authorization
            return request
        }
        let key = Self.key(of: request, credential)
        guard let challenge = answered.challenge ?? challenges.withLock({ $0[key] }) else { return request }
        request.headerFields[.authorization] = Self.authorization(for: challenge, credential, request)
        return request
    }

    private static func key(of request: HTTPRequest, _ credential: HTTPCredential) -> Key {
        Key(
            scheme: request.url.scheme?.lowercased() ?? "",
            host: request.url.host()?.lowercased() ?? "",
            port: HTTPPort.of(request.url),
            credential: credential
        )
    }

    private static func authorization(
        for answered: AnsweredChallenge,
        _ credential: HTTPCredential,
        _ request: HTTPRequest
    ) -> String? {
        let isTunnel = answered.challenge.isProxy && request.url.scheme?.lowercased() == "https"
        switch (answered.challenge.scheme, credential.kind) {
        case (_, .token): return credential.authorization
        // Behind a colon the password begins.
        case ("basic", .password(let user, _)): return user.contains(":") ? nil : credential.authorization
        case ("digest", .password(let user, let password)):
            let answer = DigestAnswer(
                challenge: answered.challenge,
                user: user,
                password: password,
                method: isTunnel ? "CONNECT" : request.method.rawValue,
                target: isTunnel ? authority(of: request.url) : target(of: request.url),
                nonceCount: answered.nextUse(),
                clientNonce: clientNonce()
            )
            return answer.authorization
        default: return nil
        }
    }

    private static func target(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        return "\(path.isEmpty ? "/" : path)\(query)"
    }

    /// What a tunnel is asked to lead to.
    private static func authority(of url: URL) -> String { "\(url.host() ?? ""):\(HTTPPort.of(url))" }

    private static func clientNonce() -> String { String(UInt64.random(in: .min ... .max), radix: 16) }
}
