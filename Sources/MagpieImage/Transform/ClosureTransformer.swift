/// A transformer made of a key and a function.
public struct ClosureTransformer: ImageTransformer {
    /// The key that was given.
    public let key: String
    private let body: @Sendable (Bitmap) throws(ImageCodingError) -> Bitmap

    /// Makes a transformer of a function.
    ///
    /// - Parameters:
    ///   - key: Must change whenever the function's result does.
    ///   - transform: May run on several threads at once.
    public init(key: String, _ transform: @escaping @Sendable (Bitmap) throws(ImageCodingError) -> Bitmap) {
        self.key = key
        body = transform
    }

    /// Runs the function.
    public func transform(_ bitmap: Bitmap) throws(ImageCodingError) -> Bitmap {
        try body(bitmap)
    }
}
