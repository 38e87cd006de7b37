import Foundation

/// The address on the command line of `magpie http`, with what a person leaves out.
enum RequestAddress {
    /// The URL that `text` means: `example.org/x` is on `http`, `:8080/x` and `:/x` on this machine.
    static func url(_ text: String) throws(UsageError) -> URL {
        var address = text
        if !hasScheme(text) {
            if text.hasPrefix(":/") {
                address = "localhost" + text.dropFirst()
            } else if text.hasPrefix(":") {
                address = "localhost" + text
            }
            address = "http://" + address
        }
        guard let url = URL(string: address), url.host()?.isEmpty == false else {
            throw UsageError("'\(text)' is no address; write one like https://example.org/path")
        }
        return url
    }

    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.range(of: "://") else { return false }
        return !text[..<colon.lowerBound].isEmpty && text[..<colon.lowerBound].allSatisfy { $0.isLetter }
    }
}
