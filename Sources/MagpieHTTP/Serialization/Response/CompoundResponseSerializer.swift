/// Tries several serializers in their order; the first that makes a value of the answer wins.
///
/// Serializers of several kinds are brought to one type with `map`.
public struct CompoundResponseSerializer<Output>: HTTPResponseSerializer {
    /// The serializers, in the order in which they are tried.
    public var serializers: [any HTTPResponseSerializer<Output>]

    /// Makes a serializer.
    public init(_ serializers: [any HTTPResponseSerializer<Output>]) { self.serializers = serializers }

    /// The value of the first serializer that makes one.
    ///
    /// - Throws: What the first serializer threw that accepted the type of the content, else what the last one threw.
    public func serialize(_ response: HTTPDataResponse) throws(HTTPError) -> Output {
        var failures: [HTTPError] = []
        for serializer in serializers {
            do {
                return try serializer.serialize(response)
            } catch {
                failures.append(error)
            }
        }
        let telling = failures.first {
            if case .unacceptableContentType = $0 { false } else { true }
        }
        let none = HTTPError.undecodableContent(reason: "no serializer", response.response, body: response.body)
        throw telling ?? failures.last ?? none
    }
}

/// What `map` makes of a serializer.
private struct MappedResponseSerializer<Base: HTTPResponseSerializer, Output>: HTTPResponseSerializer {
    let base: Base
    let transform: @Sendable (Base.Output) -> Output

    func serialize(_ response: HTTPDataResponse) throws(HTTPError) -> Output {
        transform(try base.serialize(response))
    }
}

extension HTTPResponseSerializer {
    /// A serializer that makes what `transform` makes of the value of this one.
    public func map<Mapped>(
        _ transform: @escaping @Sendable (Output) -> Mapped
    ) -> some HTTPResponseSerializer<Mapped> {
        MappedResponseSerializer(base: self, transform: transform)
    }
}
