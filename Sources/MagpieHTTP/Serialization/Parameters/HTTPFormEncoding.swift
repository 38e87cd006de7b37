public import Foundation

/// How parameters are written as a query or a form (`application/x-www-form-urlencoded`).
///
/// Names and values are percent-encoded as UTF-8; only ASCII letters, digits and `-._~/?` stay as they are.
public struct HTTPFormEncoding: Sendable {
    /// How the names of an array's elements are made of the array's name.
    public enum Arrays: Sendable {
        /// `a[]=1&a[]=2`.
        case brackets
        /// `a=1&a=2`.
        case noBrackets
        /// `a[0]=1&a[1]=2`.
        case index
        /// As the closure says, which is given the array's name and the place of the element.
        case custom(@Sendable (_ name: String, _ index: Int) -> String)
    }

    /// How truth values are written.
    public enum Booleans: Sendable, Hashable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case literal
    }

    /// How a space is written.
    public enum Spaces: Sendable, Hashable {
        /// `%20`.
        case percent
        /// `+`; a plus sign itself is always `%2B`.
        case plus
    }

    /// How points in time are written.
    public enum Dates: Sendable {
        /// Seconds since 1970, with a fraction where there is one.
        case seconds
        /// Whole milliseconds since 1970.
        case milliseconds
        /// `2026-03-01T12:00:00Z`.
        case iso8601
        /// As the closure says.
        case custom(@Sendable (Date) -> String)
    }

    /// How the names of members are written.
    public enum Keys: Sendable {
        /// As they are.
        case asIs
        /// `firstName` as `first_name`.
        case snakeCase
        /// `firstName` as `first-name`.
        case kebabCase
        /// As the closure says.
        case custom(@Sendable (String) -> String)
    }

    /// How bytes are written.
    public enum Bytes: Sendable {
        /// In Base64 (RFC 4648 §4).
        case base64
        /// As the closure says.
        case custom(@Sendable (Data) -> String)
    }

    /// How a member without a value is written.
    public enum Nulls: Sendable, Hashable {
        /// The name alone: `a`.
        case bareName
        /// An empty value: `a=`.
        case emptyValue
        /// Not at all.
        case omitted
    }

    /// How the names of an array's elements are made; `a[]` as a default.
    ///
    /// The elements of a set always have the name of the set.
    public var arrays: Arrays

    /// How truth values are written; `1` and `0` as a default.
    public var booleans: Booleans

    /// How a space is written; `%20` as a default.
    public var spaces: Spaces

    /// How points in time are written; by ISO 8601 as a default.
    public var dates: Dates

    /// How the names of members are written; as they are by default.
    public var keys: Keys

    /// How bytes are written; in Base64 as a default.
    public var bytes: Bytes

    /// How a member without a value is written; by its name alone as a default.
    public var nulls: Nulls

    /// Whether the members of each dictionary are sorted by name, else they keep their order.
    public var isSorted: Bool

    /// Makes an encoding.
    public init(
        arrays: Arrays = .brackets,
        booleans: Booleans = .numeric,
        spaces: Spaces = .percent,
        dates: Dates = .iso8601,
        keys: Keys = .asIs,
        bytes: Bytes = .base64,
        nulls: Nulls = .bareName,
        isSorted: Bool = true
    ) {
        self.arrays = arrays
        self.booleans = booleans
        self.spaces = spaces
        self.dates = dates
        self.keys = keys
        self.bytes = bytes
        self.nulls = nulls
        self.isSorted = isSorted
    }

    /// The parameters as a query or a form, without a question mark; empty where nothing is to be sent.
    ///
    /// - Throws: `HTTPError.unserializableRequest` where the parameters are no dictionary, so that a value has no name.
    public func string(of parameters: HTTPParameters) throws(HTTPError) -> String {
        var writer = FormWriter(spaces: spaces)
        for pair in try pairs(of: parameters) {
            switch pair.value {
            case .null: writer.append(name: pair.name, value: nulls == .emptyValue ? "" : nil)
            case let value: writer.append(name: pair.name, value: text(of: value))
            }
        }
        return writer.text
    }
}
