extension ImageFrameSource {
    /// The same animation with each frame transformed, when it is asked for.
    public func transformed(by transformer: any ImageTransformer) -> any ImageFrameSource {
        TransformedFrames(base: self, transformer: transformer)
    }
}

/// Frames of another source, each transformed after it is decoded.
private struct TransformedFrames: ImageFrameSource {
    let base: any ImageFrameSource
    let transformer: any ImageTransformer

    var info: ImageInfo { base.info }

    func frame(at index: Int) throws(ImageCodingError) -> Bitmap {
        try transformer.transform(base.frame(at: index))
    }
}
