import Foundation

/// A value of a JSON text, to look into without declaring a type.
///
/// It keeps what Foundation's parser made, and looks at no more of it than is asked for. What is not there, or is of another
/// kind, is `nil`, so that `value["items"][0]["name"].string` needs no check in between.
///
/// `@unchecked Sendable`: the tree below was made by the parser and is changed by nobody.
public struct JSONValue: @unchecked Sendable {
    private let node: Any

    init(_ node: Any) { self.node = node }

    /// The value `null`.
    public static let null = JSONValue(NSNull())

    /// The member of that name, or `null` where this is no object or has none such.
    public subscript(name: String) -> JSONValue {
        (node as? [String: Any])?[name].map(JSONValue.init) ?? .null
    }

    /// The element at that place, or `null` where this is no array or is shorter.
    public subscript(index: Int) -> JSONValue {
        guard let elements = node as? [Any], elements.indices.contains(index) else { return .null }
        return JSONValue(elements[index])
    }

    /// Whether this is `null`, or stands for what is not there.
    public var isNull: Bool { node is NSNull }

    /// The text.
    public var string: String? { node as? String }

    /// The truth value; a number is none.
    public var bool: Bool? { isBoolean ? node as? Bool : nil }

    /// The number, where it is whole and not too large.
    public var int: Int? { isBoolean ? nil : node as? Int }

    /// The number.
    public var double: Double? { isBoolean ? nil : (node as? NSNumber)?.doubleValue }

    /// The elements.
    public var array: [JSONValue]? { (node as? [Any])?.map(JSONValue.init) }

    /// The members.
    public var dictionary: [String: JSONValue]? { (node as? [String: Any])?.mapValues(JSONValue.init) }

    /// The value as Foundation's parser gives it: `String`, `NSNumber`, `NSNull`, `[Any]`, `[String: Any]`.
    public var foundationObject: Any { node }

    /// The value without the members of objects and the elements of arrays that are `null`, at every level.
    public func removingNulls() -> JSONValue { JSONValue(Self.removingNulls(from: node)) }

    private static func removingNulls(from node: Any) -> Any {
        switch node {
        case let members as [String: Any]: members.filter { !($0.value is NSNull) }.mapValues(removingNulls)
        case let elements as [Any]: elements.filter { !($0 is NSNull) }.map(removingNulls)
        default: node
        }
    }

    /// Foundation makes numbers of truth values as well; theirs are stored as `char`.
    private var isBoolean: Bool { (node as? NSNumber).map { $0.objCType.pointee == CChar(UInt8(ascii: "c")) } ?? false }
}

extension JSONValue: Equatable {
    /// Whether both hold the same.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left.node, right.node) {
        case (is NSNull, is NSNull): true
        case (let left as String, let right as String): left == right
        case (let a as NSNumber, let b as NSNumber): left.isBoolean == right.isBoolean && a == b
        case (is [Any], is [Any]): left.array == right.array
        case (is [String: Any], is [String: Any]): left.dictionary == right.dictionary
        default: false
        }
    }
}
