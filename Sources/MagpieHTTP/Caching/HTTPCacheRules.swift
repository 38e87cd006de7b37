import Foundation

/// What a private cache may store, and how it puts an answer together: rules without effects (RFC 9111).
enum HTTPCacheRules {
    /// Whether the answer to the request may be stored (§3).
    static func isStorable(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
        guard request.method == .get, !request.headerFields.contains(.range) else { return false }
        // A part is no answer to who asks for the whole, 304 has no body, and a challenge is for one attempt.
        guard 200...599 ~= response.status.code, ![206, 304, 401, 407].contains(response.status.code) else {
            return false
        }
        let control = CacheControl(response.headerFields)
        guard !control.noStore, !CacheControl(request.headerFields).noStore else { return false }
        guard variantFieldNames(response.headerFields) != nil else { return false }
        if control.maxAge != nil || control.isPublic || control.isPrivate { return true }
        return response.headerFields.contains(.expires) || HTTPFreshness.isHeuristicallyCacheable(response.status)
    }

    /// The fields that an answer is selected by, in lower case and sorted; `nil` for `*`, which no request fits (§4.1).
    static func variantFieldNames(_ fields: HTTPFields) -> [String]? {
        guard let vary = fields[.vary] else { return [] }
        let names = vary.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        guard !names.contains("*") else { return nil }
        return Set(names.filter { !$0.isEmpty }).sorted()
    }

    /// The fields that the answer to a request is selected by.
    ///
    /// Who asks always counts where the request says so: one cache may serve sessions of several users.
    static func variantFieldNames(_ response: HTTPResponse, to request: HTTPRequest) -> [String] {
        let names = variantFieldNames(response.headerFields) ?? []
        guard request.headerFields.contains(.authorization) else { return names }
        return Set(names + ["authorization"]).sorted()
    }

    /// What tells the variants of one address apart: the values of the fields in the request, white space evened out.
    ///
    /// Secrets among them stand as their hashes, since the key may be written to disk.
    static func variantKey(_ variants: HTTPCacheEntry.Variants, of request: HTTPRequest) -> String {
        let lines = variants.fieldNames.map { name in
            let value = HTTPField.Name(name).flatMap { request.headerFields[$0] }
            let parts = value?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let value = parts?.joined(separator: ",") else { return name }
            return
                "\(name):\(secretFields.contains(name) ? HashFunction.sha256.hash(Data(value.utf8)).base64EncodedString() : value)"
        }
        return ([variants.generation] + lines).joined(separator: "\n")
    }

    /// Whether the request says itself what it has already or which part it wants, so that the server has to answer.
    static func isConditional(_ request: HTTPRequest) -> Bool {
        let names: [HTTPField.Name] = [.range, .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange]
        return names.contains { request.headerFields.contains($0) }
    }

    /// The request that asks whether the answer still holds (§4.3.1); the request itself where nothing tells that.
    static func validation(of head: HTTPCacheEntry.Head, for request: HTTPRequest) -> HTTPRequest {
        var request = request
        let stored = head.response.headerFields
        request.headerFields[.ifNoneMatch] = stored[values: .etag].first
        request.headerFields[.ifModifiedSince] = stored[values: .lastModified].first
        return request
    }

    /// Whether a 304 speaks of the stored answer: their strong entity tags, where both have one, are the same (§4.3.4).
    static func isValidation(_ response: HTTPResponse, of head: HTTPCacheEntry.Head) -> Bool {
        guard let new = response.headerFields[values: .etag].first, !new.hasPrefix("W/"),
            let old = head.response.headerFields[values: .etag].first, !old.hasPrefix("W/")
        else { return true }
        return new == old
    }

    /// The stored answer after a 304: its fields take the place of those of the same name (§3.2).
    static func updated(
        _ head: HTTPCacheEntry.Head,
        by response: HTTPResponse,
        requestTime: Date,
        responseTime: Date
    ) -> HTTPCacheEntry.Head {
        var fields = head.response.headerFields
        // An old age would be added to the new one.
        fields[.age] = nil
        let new = storableFields(response.headerFields)
        for name in Set(new.map(\.name)) where !fieldsOfTheBody.contains(name) {
            fields[values: name] = new[values: name]
        }
        var head = head
        head.response.headerFields = fields
        head.requestTime = requestTime
        head.responseTime = responseTime
        return head
    }

    /// What a caller is told after a 304: the stored answer, and what the 304 says once and for no later caller.
    static func told(_ head: HTTPCacheEntry.Head, by response: HTTPResponse) -> HTTPCacheEntry.Head {
        var head = head
        for field in response.headerFields where fieldsToldOnce.contains(field.name) {
            head.response.headerFields.append(field)
        }
        return head
    }

    /// The fields without those that are for one connection or one exchange (§3.1), and without those that, told again,
    /// would undo what the server has said since.
    static func storableFields(_ fields: HTTPFields) -> HTTPFields {
        let named = fields[.connection]?.split(separator: ",").compactMap {
            HTTPField.Name($0.trimmingCharacters(in: .whitespaces))
        }
        let left = Set(named ?? []).union(fieldsOfTheExchange).union(fieldsToldOnce)
        return HTTPFields(fields.filter { !left.contains($0.name) })
    }

    private static let secretFields: Set<String> = ["authorization", "cookie", "proxy-authorization"]

    /// What describes the stored body, which a 304 does not change.
    private static let fieldsOfTheBody: Set<HTTPField.Name> = [
        .contentEncoding, .contentLength, .contentRange, .contentType,
    ]

    private static let fieldsOfTheExchange: Set<HTTPField.Name> = Set(
        [
            "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authentication-Info",
            "Proxy-Authorization", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
        ]
        .compactMap { HTTPField.Name($0) }
    )

    /// What changes the state of who hears it: cookies, and how the host is to be reached from now on.
    private static let fieldsToldOnce: Set<HTTPField.Name> = Set(
        ["Set-Cookie", "Set-Cookie2", "Strict-Transport-Security", "Alt-Svc"].compactMap { HTTPField.Name($0) }
    )
}
