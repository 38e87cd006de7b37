/// Which answers are taken for what was asked for.
public struct HTTPResponseValidation: Sendable {
    /// A further condition; throws where the answer does not meet it.
    ///
    /// An `HTTPError` is passed on as it is, another error as `undecodableContent`.
    public typealias Check = @Sendable (HTTPDataResponse) throws -> Void

    /// The status codes to accept; `nil` accepts any.
    public var acceptableStatusCodes: Set<Int>?

    /// The types of content to accept, in lower case and without parameters; `nil` accepts any.
    ///
    /// A star stands for any letters, as in `image/*` or `application/*+json`. An empty body needs no type.
    public var acceptableContentTypes: Set<String>?

    /// Further conditions, in their order.
    public var checks: [Check]

    /// Makes a validation; without arguments it accepts any type with a status from 200 to 299.
    public init(
        acceptableStatusCodes: Set<Int>? = Set(200...299),
        acceptableContentTypes: Set<String>? = nil,
        checks: [Check] = []
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
        self.checks = checks
    }

    /// Accepts every answer.
    public static let any = Self(acceptableStatusCodes: nil)

    /// Throws where the answer is not acceptable: for its status first, then for its type, then for a check.
    public func validate(_ response: HTTPDataResponse) throws(HTTPError) {
        if let codes = acceptableStatusCodes, !codes.contains(response.status.code) {
            throw .unacceptableStatus(response.response, body: response.body)
        }
        if let types = acceptableContentTypes, !response.body.isEmpty {
            let type = response.mediaType?.type
            guard let type, types.contains(type) || types.contains(where: { Self.matches(type, pattern: $0) }) else {
                throw .unacceptableContentType(type, response.response, body: response.body)
            }
        }
        do {
            for check in checks { try check(response) }
        } catch let error as HTTPError {
            throw error
        } catch {
            throw .undecodableContent(reason: "\(error)", response.response, body: response.body)
        }
    }

    private static func matches(_ type: String, pattern: String) -> Bool {
        guard let star = pattern.firstIndex(of: "*") else { return false }
        let (start, end) = (pattern[..<star], pattern[pattern.index(after: star)...])
        return type.hasPrefix(start) && type.hasSuffix(end) && type.utf8.count >= start.utf8.count + end.utf8.count
            || pattern == "*/*"
    }
}

extension HTTPDataResponse {
    /// The answer itself where it is acceptable: with a status from 200 to 299 unless told otherwise.
    ///
    /// - Throws: `HTTPError.unacceptableStatus` or `.unacceptableContentType`, or what a check throws.
    @discardableResult
    public func validate(_ validation: HTTPResponseValidation = .init()) throws(HTTPError) -> Self {
        try validation.validate(self)
        return self
    }
}
