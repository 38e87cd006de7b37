/// Whether a failed request is sent again.
public struct HTTPRetryDecision: Sendable, Hashable {
    /// How long to wait before, or `nil` where it is not sent again.
    public let delay: Duration?

    /// The failure stands.
    public static let doNotRetry = Self(delay: nil)

    /// Sends it again at once.
    public static let retry = Self(delay: .zero)

    /// Sends it again after a wait.
    public static func retry(after delay: Duration) -> Self { Self(delay: delay) }
}
