import Foundation

extension HTTPSession {
    /// How a session behaves.
    public struct Configuration: Sendable {
        /// How many tasks run at once; at least 1.
        ///
        /// The others wait.
        public var maximumConcurrentTasks: Int

        /// How many tasks run at once for one scheme, host and port; at least 1.
        ///
        /// A task keeps the place of its first host while it follows redirects.
        public var maximumConcurrentTasksPerHost: Int

        /// Which of the waiting tasks of one priority goes first.
        public var order: HTTPTaskOrder

        /// The fields that are added to each request which does not have them itself.
        public var headerFields: HTTPFields

        /// The patience for requests that do not bring their own.
        public var timeouts: HTTPTimeouts

        /// Whether and how far redirects are followed.
        public var redirects: HTTPRedirectPolicy

        /// Which servers to believe.
        public var trust: HTTPTrust

        /// The longest body to accept, in bytes after decoding; `nil` accepts any.
        public var maximumResponseSize: Int?

        /// Whether to ask for compressed bodies and hand them over decoded.
        public var decompresses: Bool

        /// Which versions of the protocol to offer.
        public var versions: HTTPTransportSettings.VersionPreference

        /// Where cookies are kept; `nil` sends and keeps none.
        public var cookieJar: HTTPCookieJar?

        /// Where answers are kept; `nil` keeps none.
        public var cache: HTTPCache?

        /// Makes a configuration; the defaults suit an interactive program.
        public init(
            maximumConcurrentTasks: Int = 64,
            maximumConcurrentTasksPerHost: Int = 6,
            order: HTTPTaskOrder = .fifo,
            headerFields: HTTPFields = Self.defaultHeaderFields,
            timeouts: HTTPTimeouts = .init(),
            redirects: HTTPRedirectPolicy = .follow,
            trust: HTTPTrust = .system,
            maximumResponseSize: Int? = nil,
            decompresses: Bool = true,
            versions: HTTPTransportSettings.VersionPreference = .automatic,
            cookieJar: HTTPCookieJar? = HTTPCookieJar(),
            cache: HTTPCache? = nil
        ) {
            self.maximumConcurrentTasks = maximumConcurrentTasks
            self.maximumConcurrentTasksPerHost = maximumConcurrentTasksPerHost
            self.order = order
            self.headerFields = headerFields
            self.timeouts = timeouts
            self.redirects = redirects
            self.trust = trust
            self.maximumResponseSize = maximumResponseSize
            self.decompresses = decompresses
            self.versions = versions
            self.cookieJar = cookieJar
            self.cache = cache
        }

        /// `User-Agent`: the library and its version, and the name of the process.
        public static let defaultHeaderFields: HTTPFields = [.userAgent: userAgent]

        private static let userAgent: String = {
            let name = ProcessInfo.processInfo.processName.filter {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
            }
            return name.isEmpty ? "Magpie/\(HTTPSession.version)" : "Magpie/\(HTTPSession.version) (\(name))"
        }()
    }
}
