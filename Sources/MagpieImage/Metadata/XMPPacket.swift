import Foundation
import FoundationXML

/// The few properties of an XMP packet (ISO 16684-1) that viewers show.
struct XMPPacket {
    /// The longest packet that is parsed.
    private static let limit = 1 << 20

    private(set) var date: String?
    private(set) var title: String?
    private(set) var rating: Int?

    /// Reads a packet; one that is no XML, or that declares entities, says nothing.
    init(_ data: Data) {
        guard data.count <= Self.limit, data.range(of: Data("<!DOCTYPE".utf8)) == nil else { return }
        let collector = XMPCollector()
        let parser = XMLParser(data: data)
        parser.shouldProcessNamespaces = true
        parser.shouldResolveExternalEntities = false
        parser.delegate = collector
        guard parser.parse() else { return }
        date = collector.found["DateTimeOriginal"] ?? collector.found["DateCreated"] ?? collector.found["CreateDate"]
        title = collector.found["title"]
        rating = collector.found["Rating"].flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded()) }
            .flatMap { (-1...5).contains($0) ? $0 : nil }
    }
}

/// Collects the texts of the properties that are wanted, as elements or as attributes.
private final class XMPCollector: NSObject, XMLParserDelegate {
    private static let wanted: Set<String> = ["DateTimeOriginal", "DateCreated", "CreateDate", "title", "Rating"]
    private static let deepest = 64
    private static let textLimit = 1000

    private(set) var found: [String: String] = [:]
    private var path: [String] = []
    private var text = ""

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        path.append(Self.local(name))
        if path.count > Self.deepest { return parser.abortParsing() }
        text = ""
        for (name, value) in attributes { note(value, of: Self.local(name)) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if text.utf8.count < Self.textLimit { text += string }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        // A text in several languages is a list within the property, that of the default language first.
        if let property = path.last(where: Self.wanted.contains) { note(text, of: property) }
        text = ""
        _ = path.popLast()
    }

    private func note(_ value: String, of property: String) {
        let value = value.trimmingCharacters(in: .whitespacesAndNewlines)
        guard Self.wanted.contains(property), !value.isEmpty, found[property] == nil else { return }
        found[property] = value
    }

    private static func local(_ name: String) -> String {
        name.split(separator: ":").last.map(String.init) ?? name
    }
}
