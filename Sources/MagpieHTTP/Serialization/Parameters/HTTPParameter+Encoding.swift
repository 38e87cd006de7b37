import Foundation

extension HTTPParameter {
    /// The parameters that `value` encodes to; keys keep the order in which the value encodes them.
    ///
    /// - Throws: `HTTPError.unserializableRequest` where the value cannot be encoded.
    public init(encoding value: some Encodable) throws(HTTPError) {
        do {
            self = try ParameterEncoder.encode(value, codingPath: [])
        } catch let error as HTTPError {
            throw error
        } catch let error as EncodingError {
            throw .unserializableRequest(reason: error.reason)
        } catch {
            throw .unserializableRequest(reason: "\(error)")
        }
    }
}

extension HTTPParameter: Encodable {
    /// Encodes the value as itself: a dictionary as a keyed container, of repeated names the last.
    ///
    /// - Throws: `EncodingError` for a set, which the formats of coders do not have.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .dictionary(let members):
            var container = encoder.container(keyedBy: ParameterKey.self)
            for member in members { try container.encode(member.value, forKey: ParameterKey(member.name)) }
        case .set:
            let reason = "the format has no sets; give an array"
            throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: reason))
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(into: &container)
        }
    }

    private func encodeScalar(into container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .null, .array, .set, .dictionary: try container.encodeNil()
        }
    }
}

/// The name of a member, or the place of an element.
struct ParameterKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { stringValue = "\(intValue)" }
}

extension EncodingError {
    /// What was wrong, and where.
    var reason: String {
        switch self {
        case .invalidValue(_, let context):
            context.codingPath.isEmpty
                ? context.debugDescription
                : "\(context.codingPath.map(\.stringValue).joined(separator: ".")): \(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }
}
