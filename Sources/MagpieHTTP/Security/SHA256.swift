import CCrypto
import Foundation

/// The hash of FIPS 180-4, by OpenSSL.
enum SHA256 {
    /// The 32 bytes of the hash; empty where OpenSSL has no such hash.
    static func hash(_ data: Data) -> Data {
        var hash = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        let isHashed = data.withUnsafeBytes {
            EVP_Digest($0.baseAddress, $0.count, &hash, &length, EVP_sha256(), nil) == 1
        }
        return isHashed ? Data(hash.prefix(Int(length))) : Data()
    }
}
