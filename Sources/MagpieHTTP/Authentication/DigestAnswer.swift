import Foundation

/// The answer to a digest challenge (RFC 7616 §3.4).
struct DigestAnswer {
    let challenge: HTTPChallenge
    let user: String
    let password: String
    let method: String
    /// The path and query of the request, as sent.
    let target: String
    let nonceCount: UInt32
    /// A value that the server cannot foresee.
    let clientNonce: String

    /// The value of the field, or nothing where the challenge cannot be answered.
    var authorization: String? {
        guard let algorithm = DigestAlgorithm(challenge: challenge), let realm = challenge.realm,
            let nonce = challenge.parameters["nonce"], let secret = secret(algorithm, realm: realm, nonce: nonce),
            let action = algorithm.hash("\(method):\(target)")
        else { return nil }
        let quality = challenge.parameters["qop"]
        // Without a quality of protection it is the older form of RFC 2069.
        let hasQuality = quality != nil
        if let quality, !Self.offersAuth(quality) { return nil }
        let middle = hasQuality ? "\(nonce):\(count):\(clientNonce):auth" : nonce
        guard let response = algorithm.hash("\(secret):\(middle):\(action)") else { return nil }
        var parts = [userPart(algorithm, realm: realm), "realm=\(Self.quoted(realm))", "nonce=\(Self.quoted(nonce))"]
        parts.append("uri=\(Self.quoted(target))")
        if let name = algorithm.name { parts.append("algorithm=\(name)") }
        parts.append("response=\"\(response)\"")
        if let opaque = challenge.parameters["opaque"] { parts.append("opaque=\(Self.quoted(opaque))") }
        if hasQuality { parts += ["qop=auth", "nc=\(count)"] }
        if hasQuality || algorithm.isSession { parts.append("cnonce=\(Self.quoted(clientNonce))") }
        if hidesUser { parts.append("userhash=true") }
        return "Digest \(parts.joined(separator: ", "))"
    }

    private var hidesUser: Bool { challenge.parameters["userhash"]?.lowercased() == "true" }

    /// Eight hexadecimal digits.
    private var count: String {
        let digits = String(nonceCount, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    private func secret(_ algorithm: DigestAlgorithm, realm: String, nonce: String) -> String? {
        guard let secret = algorithm.hash("\(user):\(realm):\(password)"), algorithm.isSession else {
            return algorithm.hash("\(user):\(realm):\(password)")
        }
        return algorithm.hash("\(secret):\(nonce):\(clientNonce)")
    }

    private func userPart(_ algorithm: DigestAlgorithm, realm: String) -> String {
        if hidesUser, let hash = algorithm.hash("\(user):\(realm)") { return "username=\"\(hash)\"" }
        guard user.utf8.contains(where: { $0 >= 0x80 }),
            let encoded = user.addingPercentEncoding(
                withAllowedCharacters: .alphanumerics.intersection(.urlPathAllowed)
            )
        else { return "username=\(Self.quoted(user))" }
        return "username*=UTF-8''\(encoded)"
    }

    private static func offersAuth(_ quality: String) -> Bool {
        quality.split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces).lowercased() == "auth" }
    }

    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
