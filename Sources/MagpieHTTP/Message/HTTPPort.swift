package import Foundation

/// The port that an address leads to (RFC 9110 §4.2).
package enum HTTPPort {
    /// The port where an address names none.
    static func standard(isSecure: Bool) -> Int { isSecure ? 443 : 80 }

    /// The port that the address names, or the standard one of its scheme.
    package static func of(_ url: URL) -> Int { url.port ?? standard(isSecure: url.scheme?.lowercased() == "https") }
}
