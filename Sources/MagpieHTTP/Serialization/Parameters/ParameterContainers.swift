import Foundation

/// Encodes the members of a dictionary.
struct KeyedParameterContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let codingPath: [any CodingKey]
    let node: ParameterNode

    func encodeNil(forKey key: Key) { node.append(ParameterNode(.null), name: key.stringValue) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        let parameter = try ParameterEncoder.encode(value, codingPath: codingPath + [key])
        node.append(ParameterNode(parameter), name: key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(forKey: ParameterKey("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(forKey: key) }

    private func encoder(forKey key: any CodingKey) -> ParameterEncoder {
        let nested = ParameterNode()
        node.append(nested, name: key.stringValue)
        return ParameterEncoder(codingPath: codingPath + [key], node: nested)
    }
}

/// Encodes the elements of an array.
struct UnkeyedParameterContainer: UnkeyedEncodingContainer {
    let codingPath: [any CodingKey]
    let node: ParameterNode

    var count: Int { node.count }

    func encodeNil() { node.append(ParameterNode(.null)) }

    func encode(_ value: some Encodable) throws {
        let parameter = try ParameterEncoder.encode(value, codingPath: codingPath + [ParameterKey("\(count)")])
        node.append(ParameterNode(parameter))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> ParameterEncoder {
        let nested = ParameterNode()
        let path = codingPath + [ParameterKey("\(count)")]
        node.append(nested)
        return ParameterEncoder(codingPath: path, node: nested)
    }
}

/// Encodes a value that is neither.
struct SingleParameterContainer: SingleValueEncodingContainer {
    let codingPath: [any CodingKey]
    let node: ParameterNode

    func encodeNil() { node.become(.null) }
    func encode(_ value: Bool) { node.become(.bool(value)) }
    func encode(_ value: String) { node.become(.string(value)) }
    func encode(_ value: Double) { node.become(.double(value)) }
    /// By its digits: 0.1 as a `Float` is no other number of the caller's than 0.1.
    func encode(_ value: Float) { node.become(.double(Double("\(value)") ?? Double(value))) }
    func encode(_ value: Int) { node.become(.integer(value)) }
    func encode(_ value: Int8) { become(value) }
    func encode(_ value: Int16) { become(value) }
    func encode(_ value: Int32) { become(value) }
    func encode(_ value: Int64) { become(value) }
    func encode(_ value: UInt) { become(value) }
    func encode(_ value: UInt8) { become(value) }
    func encode(_ value: UInt16) { become(value) }
    func encode(_ value: UInt32) { become(value) }
    func encode(_ value: UInt64) { become(value) }
    func encode(_ value: Int128) { become(value) }
    func encode(_ value: UInt128) { become(value) }

    func encode(_ value: some Encodable) throws {
        node.become(try ParameterEncoder.encode(value, codingPath: codingPath))
    }

    private func become(_ value: some BinaryInteger) {
        node.become(Int(exactly: value).map { .integer($0) } ?? .decimal(Decimal(string: "\(value)") ?? .nan))
    }
}
