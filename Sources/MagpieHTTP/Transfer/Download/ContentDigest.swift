import Foundation

/// A digest by which an answer says what its bytes are: `Repr-Digest` and `Content-Digest` (RFC 9530), and the older
/// `Digest` (RFC 3230) and `Content-MD5` (RFC 1864).
struct ContentDigest: Equatable {
    /// How the digest is made.
    enum Algorithm: String, CaseIterable {
        case sha512 = "sha-512"
        case sha256 = "sha-256"
        case md5
    }

    /// Of what it is the digest.
    enum Scope {
        /// The whole, of which the answer may hold a part.
        case representation
        /// What the answer itself holds.
        case content
    }

    let algorithm: Algorithm
    let value: Data
    let scope: Scope

    /// The best digest of the answer that can be checked against bytes as they came, if there is one.
    static func best(of response: HTTPResponse) -> ContentDigest? {
        // A digest is of the bytes on the wire, and these are not at hand where the body is handed over decoded.
        guard !response.isEncoded else { return nil }
        let fields = response.headerFields
        let sources: [(String, Scope)] = [
            ("Repr-Digest", .representation), ("Content-Digest", .content), ("Digest", .representation),
        ]
        for algorithm in [Algorithm.sha512, .sha256] {
            for (field, scope) in sources {
                guard let text = HTTPField.Name(field).flatMap({ fields[$0] }),
                    let value = value(of: algorithm, in: text)
                else { continue }
                return ContentDigest(algorithm: algorithm, value: value, scope: scope)
            }
        }
        guard let text = HTTPField.Name("Content-MD5").flatMap({ fields[$0] }), let value = Data(base64Encoded: text),
            value.count == Algorithm.md5.function.byteCount
        else { return nil }
        return ContentDigest(algorithm: .md5, value: value, scope: .content)
    }

    /// Finds `sha-256=:Base64:` in a list, or `SHA-256=Base64` as the older field has it.
    private static func value(of algorithm: Algorithm, in list: String) -> Data? {
        for member in list.split(separator: ",") {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces).lowercased() == algorithm.rawValue
            else { continue }
            // What follows a semicolon are parameters (RFC 9651).
            let text = parts[1].prefix { $0 != ";" }.trimmingCharacters(in: CharacterSet(charactersIn: ": \t"))
            guard let value = Data(base64Encoded: text), value.count == algorithm.function.byteCount else { continue }
            return value
        }
        return nil
    }
}

extension ContentDigest.Algorithm {
    /// What makes the digest.
    var function: HashFunction {
        switch self {
        case .sha512: .sha512
        case .sha256: .sha256
        case .md5: .md5
        }
    }
}
