/// The header fields of a message, in order; a name may stand more than once (RFC 9110 §5.3).
public struct HTTPFields: Sendable, Hashable {
    private var fields: [HTTPField]

    /// Makes an empty list.
    public init() { fields = [] }

    /// Makes a list of `fields` in their order.
    public init(_ fields: some Sequence<HTTPField>) { self.fields = Array(fields) }

    /// Sets aside room for `capacity` fields.
    public mutating func reserveCapacity(_ capacity: Int) { fields.reserveCapacity(capacity) }

    /// Adds a field at the end, beside those of the same name.
    public mutating func append(_ field: HTTPField) { fields.append(field) }

    /// Adds a folded line to the value of the last field, if there is one (RFC 9112 §5.2).
    mutating func append(foldedLine line: String) {
        if let last = fields.indices.last { fields[last].append(foldedLine: line) }
    }

    /// Whether a field of this name is there.
    public func contains(_ name: HTTPField.Name) -> Bool {
        fields.contains { $0.name == name }
    }

    /// The value of the field; of repeated fields the values joined with `", "` (with `"; "` for `Cookie`, RFC 9113
    /// §8.2.3).
    ///
    /// Setting replaces all fields of the name by one, at the place of the first; `nil` removes them.
    public subscript(name: HTTPField.Name) -> String? {
        get {
            guard let first = fields.firstIndex(where: { $0.name == name }) else { return nil }
            let rest = fields[(first + 1)...].lazy.filter { $0.name == name }
            if rest.isEmpty { return fields[first].value }
            let separator = name == .cookie ? "; " : ", "
            return rest.reduce(into: fields[first].value) { $0 += separator + $1.value }
        }
        set { self[values: name] = newValue.map { [$0] } ?? [] }
    }

    /// The values of all fields of the name, in order.
    ///
    /// Setting puts the new fields where the first of the old ones was, else at the end.
    public subscript(values name: HTTPField.Name) -> [String] {
        get { fields.filter { $0.name == name }.map(\.value) }
        set {
            let place = fields.firstIndex { $0.name == name } ?? fields.endIndex
            fields.removeAll { $0.name == name }
            fields.insert(contentsOf: newValue.map { HTTPField(name: name, value: $0) }, at: place)
        }
    }
}

extension HTTPFields: RandomAccessCollection {
    /// Zero.
    public var startIndex: Int { fields.startIndex }

    /// The number of fields.
    public var endIndex: Int { fields.endIndex }

    /// The field at a position.
    public subscript(position: Int) -> HTTPField { fields[position] }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Makes a list in the order of the literal; a name may be repeated.
    public init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
        fields = elements.map { HTTPField(name: $0.0, value: $0.1) }
    }
}

extension HTTPFields: CustomStringConvertible {
    /// The fields, one a line.
    public var description: String { fields.map(\.description).joined(separator: "\n") }
}
