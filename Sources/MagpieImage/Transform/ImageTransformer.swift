/// Makes one picture into another, after decoding: resizing, and whatever you add.
public protocol ImageTransformer: Sendable {
    /// Names what is done, parameters included, such that equal keys mean equal results. Part of the result's cache key.
    var key: String { get }

    /// Makes the new picture. Called on a decoding thread; several calls may run at once.
    func transform(_ bitmap: Bitmap) throws(ImageCodingError) -> Bitmap
}
