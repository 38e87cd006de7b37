/// Writes parameters into a request: into its address or its body.
public protocol HTTPRequestSerializer: Sendable {
    /// The request with the parameters.
    ///
    /// A `Content-Type` that the request has already is kept.
    ///
    /// - Throws: `HTTPError.unserializableRequest` where the parameters cannot be written in this form.
    func serialize(_ parameters: HTTPParameters?, into request: HTTPRequest) throws(HTTPError) -> HTTPRequest

    /// What writes parameters that go into the address whatever the method; by default a `FormRequestSerializer` as it comes.
    var query: FormRequestSerializer { get }
}

extension HTTPRequestSerializer {
    /// A serializer with the default settings.
    public var query: FormRequestSerializer { FormRequestSerializer() }
}
