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
        /// A task that is redirected to another host gives its place back and waits for one there.
        public var maximumConcurrentTasksPerHost: Int

        /// Which of the waiting tasks of one priority goes first.
        public var order: HTTPTaskOrder

        /// The fields that are added to each request which does not have them itself.
        public var headerFields: HTTPFields

        /// What writes the `parameters` of `get`, `post` and the like; as a query or a form by default.
        public var requestSerializer: any HTTPRequestSerializer

        /// The patience for requests that do not bring their own.
        public var timeouts: HTTPTimeouts

        /// Whether and how far redirects are followed.
        public var redirects: HTTPRedirectPolicy

        /// Which servers to believe.
        public var trust: HTTPTrust

        /// Where the session remembers which hosts want TLS only (HSTS, RFC 6797).
        public var strictTransport: HTTPStrictTransport

        /// Who has a say in redirects, challenges and answers.
        public var delegate: (any HTTPSessionDelegate)?

        /// Who hears of all that happens.
        public var eventMonitors: [any HTTPEventMonitor]

        /// Who changes requests before they are sent, and decides on another try; see `HTTPSession.interceptors`.
        public var interceptors: [any HTTPInterceptor]

        /// Who asks, for requests that do not say so themselves; shown to the origin of the session's base URL alone.
        ///
        /// A session without a base URL shows it to each server that a request is made for.
        public var credential: HTTPCredential?

        /// What measures the waits between tries.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// The longest body to accept, in bytes after decoding; `nil` accepts any.
        public var maximumResponseSize: Int?

        /// How large the header section of an answer may be.
        public var headerLimits: HTTPHeaderLimits = .init()

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
            requestSerializer: any HTTPRequestSerializer = .form,
            timeouts: HTTPTimeouts = .init(),
            redirects: HTTPRedirectPolicy = .follow,
            credential: HTTPCredential? = nil,
            interceptors: [any HTTPInterceptor] = [],
            delegate: (any HTTPSessionDelegate)? = nil,
            eventMonitors: [any HTTPEventMonitor] = [],
            trust: HTTPTrust = .system,
            strictTransport: HTTPStrictTransport = .session,
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
            self.requestSerializer = requestSerializer
            self.timeouts = timeouts
            self.redirects = redirects
            self.credential = credential
            self.interceptors = interceptors
            self.delegate = delegate
            self.eventMonitors = eventMonitors
            self.trust = trust
            self.strictTransport = strictTransport
            self.maximumResponseSize = maximumResponseSize
            self.decompresses = decompresses
            self.versions = versions
            self.cookieJar = cookieJar
            self.cache = cache
        }

        /// `User-Agent`: the library and its version, and the name of the process; `Accept-Language`: the user's languages.
        public static let defaultHeaderFields: HTTPFields = {
            var fields: HTTPFields = [.userAgent: userAgent]
            fields[.acceptLanguage] = acceptLanguage(environment: ProcessInfo.processInfo.environment)
            return fields
        }()

        private static let userAgent: String = {
            let name = ProcessInfo.processInfo.processName.filter {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
            }
            return name.isEmpty ? "Magpie/\(HTTPSession.version)" : "Magpie/\(HTTPSession.version) (\(name))"
        }()

        /// The first six languages of `LANGUAGE`, else of `LC_ALL` or `LANG`, with falling quality; `nil` where none is set.
        static func acceptLanguage(environment: [String: String]) -> String? {
            let candidates = ["LANGUAGE", "LC_ALL", "LANG"].compactMap { environment[$0] }
            let wanted = candidates.first { !$0.isEmpty }?.split(separator: ":") ?? []
            var tags: [String] = []
            for locale in wanted {
                let name = String(locale.prefix { $0 != "." && $0 != "@" }).replacing("_", with: "-")
                let isTag = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
                guard isTag, !name.isEmpty, name != "C", name != "POSIX", !tags.contains(name) else { continue }
                tags.append(name)
            }
            let weighted = tags.prefix(6).enumerated().map { place, tag in
                place == 0 ? "\(tag);q=1" : "\(tag);q=0.\(10 - place)"
            }
            return weighted.isEmpty ? nil : weighted.joined(separator: ", ")
        }
    }
}
