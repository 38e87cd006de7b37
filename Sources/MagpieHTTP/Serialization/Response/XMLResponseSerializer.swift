import Foundation
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
        if let problem = Self.problem(of: response.body) {
            throw .undecodableContent(reason: problem, response.response, body: response.body)
        }
        let document = try? XMLDocument(data: response.body, options: options.union(.nodeLoadExternalEntitiesNever))
        guard let document, document.rootElement() != nil else {
            throw .undecodableContent(reason: "it has no element", response.response, body: response.body)
        }
        return document
    }

    /// Why the text is not well-formed, or nothing where it is.
    ///
    /// Foundation's document would be made of the beginning of such a text all the same, and trap where there is none.
    private static func problem(of body: Data) -> String? {
        guard !body.isEmpty else { return "it is empty" }
        let parser = XMLParser(data: body)
        parser.shouldResolveExternalEntities = false
        let isParsed = parser.parse()
        // A text that just ends counts as parsed; other problems of parsed texts are warnings. The number is libxml2's
        // XML_ERR_DOCUMENT_END, which Foundation passes on but names with another number.
        let isCut = (parser.parserError as NSError?)?.code == 5
        return isParsed && !isCut ? nil : "it is not well-formed XML at line \(parser.lineNumber)"
    }
}

extension HTTPDataResponse {
    /// The body as an XML document.
    ///
    /// - Throws: `HTTPError` where the status is not from 200 to 299, the type is not XML, or the body is none.
    public func xmlDocument() throws(HTTPError) -> XMLDocument { try serialize(with: XMLDocumentResponseSerializer()) }
}
