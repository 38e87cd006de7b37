import CCrypto
import Foundation

/// How digest authentication hashes (RFC 7616 §3.4.2).
struct DigestAlgorithm {
    /// The name as the challenge has it.
    let name: String?

    /// Whether the hash of the password is bound to one session's nonce.
    let isSession: Bool

    /// Larger for the better one.
    let strength: Int

    private let digest: OpaquePointer

    /// The algorithm of a challenge; nothing where it is not known.
    init?(challenge: HTTPChallenge) {
        name = challenge.parameters["algorithm"]
        var base = (name ?? "MD5").uppercased()
        isSession = base.hasSuffix("-SESS")
        if isSession { base.removeLast(5) }
        switch base {
        case "MD5": (digest, strength) = (EVP_md5(), 3)
        case "SHA-256": (digest, strength) = (EVP_sha256(), 4)
        case "SHA-512-256": (digest, strength) = (EVP_sha512_256(), 5)
        default: return nil
        }
    }

    /// The hash of the text in UTF-8, in lower-case hexadecimal digits; nothing where the library refuses.
    func hash(_ text: String) -> String? {
        var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let bytes = Array(text.utf8)
        guard EVP_Digest(bytes, bytes.count, &output, &count, digest, nil) == 1 else { return nil }
        return output.prefix(Int(count)).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0\(digits)" : digits
        }
        .joined()
    }
}
