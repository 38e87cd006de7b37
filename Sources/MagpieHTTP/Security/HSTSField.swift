import Foundation

/// The value of a `Strict-Transport-Security` field (RFC 6797 §6.1).
struct HSTSField: Equatable {
    /// For how long the host wants TLS only, in seconds; 0 ends it.
    let maximumAge: Int
    /// Whether the hosts below it want so too.
    let includesSubdomains: Bool

    /// Reads a value, or nothing where it breaks the grammar: then the whole field is to be ignored.
    init?(_ value: String) {
        var directives: [String: String] = [:]
        for part in value.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard let name = pair.first?.lowercased(), !name.isEmpty else { continue }
            guard directives.updateValue(pair.count == 2 ? pair[1] : "", forKey: name) == nil else { return nil }
        }
        guard var age = directives["max-age"] else { return nil }
        if age.count >= 2, age.hasPrefix("\""), age.hasSuffix("\"") { age = String(age.dropFirst().dropLast()) }
        guard !age.isEmpty, age.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        maximumAge = min(Int(age) ?? Self.longest, Self.longest)
        includesSubdomains = directives["includesubdomains"] != nil
    }

    /// Ten years; longer is not believed.
    private static let longest = 10 * 366 * 24 * 3600
}
