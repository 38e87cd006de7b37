public import FoundationXML

/// Makes a parser of the body that has not begun yet: set its delegate, then call `parse()`.
public struct XMLParserResponseSerializer: HTTPResponseSerializer {
    /// Which answers to accept; the types of XML as a default.
    public var validation: HTTPResponseValidation

    /// Makes a serializer.
    public init(validation: HTTPResponseValidation = .init(acceptableContentTypes: Self.contentTypes)) {
        self.validation = validation
    }

    /// The types that mean XML, among them those that RFC 7303 §4.2 derives from it.
    public static let contentTypes: Set<String> = ["application/xml", "text/xml", "application/*+xml"]

    /// The parser; it loads no external entities.
    public func serialize(_ response: HTTPDataResponse) throws(HTTPError) -> XMLParser {
        try validation.validate(response)
        let parser = XMLParser(data: response.body)
        parser.shouldResolveExternalEntities = false
        return parser
    }
}

/// Reads the body as a whole XML document.
public struct XMLDocumentResponseSerializer: HTTPResponseSerializer {
    /// Which answers to accept; the types of XML as a default.
    public var validation: HTTPResponseValidation

    /// How the document is read; external entities are never loaded.
    public var options: XMLNode.Options

    /// Makes a serializer.
    public init(
        validation: HTTPResponseValidation = .init(acceptableContentTypes: XMLParserResponseSerializer.contentTypes),
        options: XMLNode.Options = []
    ) {
        self.validation = validation
        self.options = options
    }

    /// The document.
    public func serialize(_ response: HTTPDataResponse) throws(HTTPError) -> XMLDocument {
        try validation.validate(response)
        do {
            return try XMLDocument(data: response.body, options: options.union(.nodeLoadExternalEntitiesNever))
        } catch {
            let reason = ContentProblem.reason(of: error)
            throw .undecodableContent(reason: reason, response.response, body: response.body)
        }
    }
}

extension HTTPDataResponse {
    /// The body as an XML document.
    ///
    /// - Throws: `HTTPError` where the status is not from 200 to 299, the type is not XML, or the body is none.
    public func xmlDocument() throws(HTTPError) -> XMLDocument { try serialize(with: XMLDocumentResponseSerializer()) }
}
