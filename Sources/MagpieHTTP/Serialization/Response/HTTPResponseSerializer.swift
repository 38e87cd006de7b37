/// Makes a value of an answer: checks status and type, and decodes the content.
public protocol HTTPResponseSerializer<Output>: Sendable {
    /// What the content becomes.
    associatedtype Output

    /// The value of the answer.
    ///
    /// Takes as long as the content is large: not to be called where nothing may block.
    ///
    /// - Throws: `HTTPError.unacceptableStatus`, `.unacceptableContentType` or `.undecodableContent`, each with the answer.
    func serialize(_ response: HTTPDataResponse) throws(HTTPError) -> Output
}

extension HTTPDataResponse {
    /// The value that the serializer makes of the answer.
    public func serialize<Serializer: HTTPResponseSerializer>(
        with serializer: Serializer
    ) throws(HTTPError) -> Serializer.Output {
        try serializer.serialize(self)
    }
}
