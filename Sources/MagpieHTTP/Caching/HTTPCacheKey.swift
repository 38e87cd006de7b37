import Foundation

/// What an answer is stored under: the address, and whether the body is decoded (RFC 9111 §2).
struct HTTPCacheKey: Hashable {
    /// The key of the answer, or of the entry that tells its variants apart.
    let text: String

    /// The address without its fragment.
    let address: String

    /// - Parameters:
    ///   - url: The address; its fragment does not count.
    ///   - isDecoded: Whether compressed bodies are handed over decoded.
    init(url: URL, isDecoded: Bool = true) {
        address = String(url.absoluteString.prefix { $0 != "#" })
        text = isDecoded ? address : Self.encodedForm(of: address)
    }

    /// The keys of all answers of the address.
    var allForms: [String] { [address, Self.encodedForm(of: address)] }

    /// A number that is the same for all answers of one address; never negative.
    var lane: Int { Int(UInt(bitPattern: address.hashValue) >> 1) }

    /// The key of one of the variants.
    func variant(_ description: String) -> String { "\(text)\n\(description)" }

    private static func encodedForm(of address: String) -> String { "\(address)\nencoded" }
}
