/// What `Content-Type` says (RFC 9110 §8.3.1).
struct MediaType {
    /// Type and subtype in lower case, as in `text/html`.
    let type: String

    /// The name of the character encoding as it was sent.
    let charset: String?

    /// Reads the value of a field; nothing where it names no type.
    init?(_ value: String) {
        let content = ParameterizedValue(value)
        guard content.value.contains("/") else { return nil }
        type = content.value.lowercased()
        let charset = content.parameters["charset"]
        self.charset = charset?.isEmpty == true ? nil : charset
    }
}

extension HTTPDataResponse {
    /// What the answer says its content is.
    var mediaType: MediaType? { headerFields[values: .contentType].last.flatMap(MediaType.init) }
}
