public import Foundation

/// A request as a `FaultServer` received it.
public struct FaultRequest: Sendable {
    /// The method, as sent.
    public let method: String

    /// The target, as sent: path and query.
    public let target: String

    /// The whole header section, as sent.
    public let head: String

    /// The body, as long as `Content-Length` said, or put together from its chunks.
    public let body: Data

    /// The value of the field, or `nil`; names are compared without regard to case.
    public func field(_ name: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }
}
