public import Foundation

/// A value that a request carries in its query, its form or its JSON: written as a literal, or made of an `Encodable`.
///
/// `["q": "magpie", "tags": ["bird", "blue"]]` is one.
public enum HTTPParameter: Sendable, Hashable {
    /// A value with its name, in a dictionary.
    public struct Member: Sendable, Hashable {
        /// The name.
        public var name: String

        /// The value.
        public var value: HTTPParameter

        /// Makes a member.
        public init(name: String, value: HTTPParameter) {
            self.name = name
            self.value = value
        }
    }

    /// No value.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// A number of binary floating point.
    case double(Double)
    /// A number of decimal digits, or a whole one that is too large for `integer`.
    case decimal(Decimal)
    /// Text.
    case string(String)
    /// A point in time.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// Values in order.
    case array([HTTPParameter])
    /// Values without an order; JSON and property lists have none.
    case set(Set<HTTPParameter>)
    /// Values with names, in the order in which they were given.
    ///
    /// A name that is repeated is sent twice in a form; elsewhere the last one counts.
    case dictionary([Member])

    /// A dictionary with the values of another.
    public static func dictionary(_ values: [String: HTTPParameter]) -> Self {
        .dictionary(values.map { Member(name: $0.key, value: $0.value) })
    }
}

/// The parameters of a request as a whole: a dictionary, or for JSON an array as well.
public typealias HTTPParameters = HTTPParameter

extension HTTPParameter: ExpressibleByBooleanLiteral {
    /// Makes a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension HTTPParameter: ExpressibleByIntegerLiteral {
    /// Makes a whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
}

extension HTTPParameter: ExpressibleByFloatLiteral {
    /// Makes a number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension HTTPParameter: ExpressibleByStringInterpolation {
    /// Makes text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension HTTPParameter: ExpressibleByArrayLiteral {
    /// Makes an array.
    public init(arrayLiteral elements: HTTPParameter...) { self = .array(elements) }
}

extension HTTPParameter: ExpressibleByDictionaryLiteral {
    /// Makes a dictionary in the order of the literal.
    public init(dictionaryLiteral elements: (String, HTTPParameter)...) {
        self = .dictionary(elements.map { Member(name: $0.0, value: $0.1) })
    }
}
