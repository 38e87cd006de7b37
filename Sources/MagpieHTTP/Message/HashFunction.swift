import CCrypto
import Foundation

/// A cryptographic hash, by OpenSSL.
enum HashFunction: Sendable {
    /// RFC 1321; for what is older than its weakness alone.
    case md5
    /// FIPS 180-4.
    case sha256
    /// FIPS 180-4, with 256 bits of the result.
    case sha512Truncated
    /// FIPS 180-4.
    case sha512

    /// The length of a hash in bytes.
    var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha256, .sha512Truncated: 32
        case .sha512: 64
        }
    }

    /// How much of a file is read at once, in bytes.
    private static let pieceSize = 256 * 1024

    private var method: OpaquePointer? {
        switch self {
        case .md5: EVP_md5()
        case .sha256: EVP_sha256()
        case .sha512Truncated: EVP_sha512_256()
        case .sha512: EVP_sha512()
        }
    }

    /// The hash of the bytes; empty where OpenSSL refuses the function.
    func hash(_ data: Data) -> Data {
        var hash = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        let isHashed = data.withUnsafeBytes {
            EVP_Digest($0.baseAddress, $0.count, &hash, &length, method, nil) == 1
        }
        return isHashed ? Data(hash.prefix(Int(length))) : Data()
    }

    /// The hash of a file from `offset` to its end, or `nil` where it cannot be read (`errno` says why).
    func hash(_ descriptor: CInt, from offset: Int64) -> Data? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestInit_ex(context, method, nil) == 1 else { return nil }
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        var position = off_t(offset)
        while true {
            let count = pread(descriptor, &piece, piece.count, position)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            guard EVP_DigestUpdate(context, piece, count) == 1 else { return nil }
            position += off_t(count)
        }
        var value = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        guard EVP_DigestFinal_ex(context, &value, &length) == 1 else { return nil }
        return Data(value.prefix(Int(length)))
    }
}
