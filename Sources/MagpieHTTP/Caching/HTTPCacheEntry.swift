public import Foundation

/// A stored answer: what an `HTTPCacheStorage` keeps for a key.
public struct HTTPCacheEntry: Sendable, Hashable {
    /// What is known of the answer.
    public var head: Head

    /// The whole body, as it was handed over.
    public var body: Data

    /// Makes an entry.
    public init(head: Head, body: Data) {
        self.head = head
        self.body = body
    }

    /// What is known of a stored answer beside its body; can be encoded for a file.
    public struct Head: Sendable, Hashable {
        /// The answer's head, without the fields that are for one exchange alone.
        public var response: HTTPResponse

        /// When the answer was asked for, or last validated.
        public var requestTime: Date

        /// When the answer came, or was last validated.
        public var responseTime: Date

        /// Set where the entry holds no answer itself but tells by which fields of a request one is selected (`Vary`).
        public var variants: Variants?

        /// Makes a head.
        public init(response: HTTPResponse, requestTime: Date, responseTime: Date, variants: Variants? = nil) {
            self.response = response
            self.requestTime = requestTime
            self.responseTime = responseTime
            self.variants = variants
        }

        /// How long the answer is fresh, and how old it is.
        public var freshness: HTTPFreshness {
            HTTPFreshness(of: response, requestTime: requestTime, responseTime: responseTime)
        }
    }

    /// By which fields of the request the answer is selected (RFC 9111 §4.1).
    public struct Variants: Sendable, Hashable, Codable {
        /// The names of the fields, in lower case and sorted.
        public var fieldNames: [String]

        /// Tells the variants of now from those that were stored before the last invalidation.
        public var generation: String

        /// Makes a selection.
        public init(fieldNames: [String], generation: String) {
            self.fieldNames = fieldNames
            self.generation = generation
        }
    }
}

extension HTTPCacheEntry.Head: Codable {
    private enum Key: String, CodingKey {
        case status, phrase, version, url, fields, requestTime, responseTime, variants
    }

    /// Reads what `encode(to:)` wrote; what cannot be a head is an error.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let pairs = try values.decode([[String]].self, forKey: .fields)
        let fields = pairs.compactMap { pair -> HTTPField? in
            guard pair.count == 2, let name = HTTPField.Name(pair[0]) else { return nil }
            return HTTPField(name: name, value: pair[1])
        }
        response = HTTPResponse(
            status: HTTPResponse.Status(
                code: try values.decode(Int.self, forKey: .status),
                reasonPhrase: try values.decode(String.self, forKey: .phrase)
            ),
            headerFields: HTTPFields(fields),
            version: HTTPVersion(rawValue: try values.decode(String.self, forKey: .version)) ?? .http1_1,
            url: try values.decode(URL.self, forKey: .url)
        )
        requestTime = try values.decode(Date.self, forKey: .requestTime)
        responseTime = try values.decode(Date.self, forKey: .responseTime)
        variants = try values.decodeIfPresent(HTTPCacheEntry.Variants.self, forKey: .variants)
    }

    /// Writes the head as a keyed container of plain values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(response.status.code, forKey: .status)
        try values.encode(response.status.reasonPhrase, forKey: .phrase)
        try values.encode(response.version.rawValue, forKey: .version)
        try values.encode(response.url, forKey: .url)
        try values.encode(response.headerFields.map { [$0.name.rawName, $0.value] }, forKey: .fields)
        try values.encode(requestTime, forKey: .requestTime)
        try values.encode(responseTime, forKey: .responseTime)
        try values.encodeIfPresent(variants, forKey: .variants)
    }
}
