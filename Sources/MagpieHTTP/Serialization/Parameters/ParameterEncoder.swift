import Foundation

/// Encodes one `Encodable` into an `HTTPParameter`.
struct ParameterEncoder: Encoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let node: ParameterNode

    /// The parameter that `value` encodes to; what has a case of its own is taken as it is.
    static func encode(_ value: some Encodable, codingPath: [any CodingKey]) throws -> HTTPParameter {
        switch value {
        case let value as HTTPParameter: return value
        case let value as Date: return .date(value)
        case let value as Data: return .data(value)
        case let value as Decimal: return .decimal(value)
        case let value as URL: return .string(value.absoluteString)
        default:
            let encoder = ParameterEncoder(codingPath: codingPath, node: ParameterNode())
            try value.encode(to: encoder)
            return encoder.node.parameter
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeDictionary()
        return KeyedEncodingContainer(KeyedParameterContainer(codingPath: codingPath, node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return UnkeyedParameterContainer(codingPath: codingPath, node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleParameterContainer(codingPath: codingPath, node: node)
    }
}

/// A place in the tree that grows while a value is encoded; containers of one encoder share it.
///
/// Confined to the thread that encodes.
final class ParameterNode {
    private enum Content {
        case scalar(HTTPParameter)
        case array([ParameterNode])
        case dictionary([(name: String, node: ParameterNode)])
    }

    private var content = Content.dictionary([])

    init() {}

    init(_ parameter: HTTPParameter) { content = .scalar(parameter) }

    var parameter: HTTPParameter {
        switch content {
        case .scalar(let value): value
        case .array(let nodes): .array(nodes.map(\.parameter))
        case .dictionary(let members):
            .dictionary(members.map { HTTPParameter.Member(name: $0.name, value: $0.node.parameter) })
        }
    }

    var count: Int {
        switch content {
        case .scalar: 1
        case .array(let nodes): nodes.count
        case .dictionary(let members): members.count
        }
    }

    func become(_ parameter: HTTPParameter) { content = .scalar(parameter) }

    /// A value may ask for its container more than once and goes on with the same.
    func becomeDictionary() {
        if case .dictionary = content { return }
        content = .dictionary([])
    }

    func becomeArray() {
        if case .array = content { return }
        content = .array([])
    }

    func append(_ node: ParameterNode) {
        guard case .array(var nodes) = content else { return }
        content = .array([])
        nodes.append(node)
        content = .array(nodes)
    }

    func append(_ node: ParameterNode, name: String) {
        guard case .dictionary(var members) = content else { return }
        content = .dictionary([])
        members.append((name, node))
        content = .dictionary(members)
    }
}
