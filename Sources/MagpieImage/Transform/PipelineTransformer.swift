/// Several transformers, one after the other.
public struct PipelineTransformer: ImageTransformer {
    /// The steps, the first first.
    public let transformers: [any ImageTransformer]

    /// Makes the transformer; with no steps, pictures stay as they are.
    public init(_ transformers: [any ImageTransformer]) {
        self.transformers = transformers
    }

    /// The keys of the steps, joined by `-`, as SDWebImage joins them; empty for no steps.
    public var key: String { transformers.map(\.key).joined(separator: "-") }

    /// Does all steps, or fails with the first that does.
    public func transform(_ bitmap: Bitmap) throws(ImageCodingError) -> Bitmap {
        var result = bitmap
        for transformer in transformers { result = try transformer.transform(result) }
        return result
    }
}

extension ImageTransformer where Self == PipelineTransformer {
    /// Does several steps in order: `.pipeline([.resize(width: 96, height: 96), .blur(radius: 4)])`.
    public static func pipeline(_ transformers: [any ImageTransformer]) -> PipelineTransformer {
        PipelineTransformer(transformers)
    }
}
