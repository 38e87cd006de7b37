import Foundation

/// How digest authentication hashes (RFC 7616 §3.4.2).
struct DigestAlgorithm {
    /// The name as the challenge has it.
    let name: String?

    /// Whether the hash of the password is bound to one session's nonce.
    let isSession: Bool

    /// Larger for the better one.
    let strength: Int

    private let function: HashFunction

    /// The algorithm of a challenge; nothing where it is not known.
    init?(challenge: HTTPChallenge) {
        name = challenge.parameters["algorithm"]
        var base = (name ?? "MD5").uppercased()
        isSession = base.hasSuffix("-SESS")
        if isSession { base.removeLast(5) }
        switch base {
        case "MD5": (function, strength) = (.md5, 3)
        case "SHA-256": (function, strength) = (.sha256, 4)
        case "SHA-512-256": (function, strength) = (.sha512Truncated, 5)
        default: return nil
        }
    }

    /// The hash of the text in UTF-8, in lower-case hexadecimal digits; nothing where the library refuses.
    func hash(_ text: String) -> String? {
        let hash = function.hash(Data(text.utf8))
        guard !hash.isEmpty else { return nil }
        return hash.map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
    }
}
