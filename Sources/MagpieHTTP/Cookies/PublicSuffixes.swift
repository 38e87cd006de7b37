import CPSL
import Foundation

/// The domains under which anybody may register a name, such as `com` and `co.uk`: no cookie is for all of one.
///
/// The list is libpsl's, the newer of the one in the system's files and the one in the library itself. It is read once
/// and never changed.
enum PublicSuffixes {
    // A constant pointer into a list that is never written again, which libpsl reads from any thread.
    private nonisolated(unsafe) static let list = psl_latest(nil)

    static func contains(_ domain: String) -> Bool {
        // Without a list only names of one part are known to be suffixes.
        guard let list else { return !domain.contains(".") }
        return psl_is_public_suffix(list, domain) == 1
    }

    /// The public suffix and the one part before it: the site that a host belongs to; `nil` for a suffix itself.
    static func registrableDomain(of host: String) -> String? {
        guard let list, let domain = psl_registrable_domain(list, host) else { return nil }
        return String(cString: domain)
    }
}
