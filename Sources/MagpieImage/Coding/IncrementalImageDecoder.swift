public import Foundation

/// Decodes one picture while its bytes arrive.
///
/// The work of all calls together is in proportion to the bytes, not to their square. Calls may come from any thread, one
/// after the other; they are synchronous.
public protocol IncrementalImageDecoder: AnyObject, Sendable {
    /// The header, as soon as it has come.
    var info: ImageInfo? { get }

    /// Takes the bytes that follow those before.
    ///
    /// - Throws: What makes the picture impossible already, such as a size beyond the limits; the same for all calls after.
    func append(_ bytes: Data) throws(ImageCodingError)

    /// The best picture that the bytes so far give; nil where there is none, or nothing new since the last time.
    ///
    /// What has not come yet is transparent, or coarse where the format has coarse pictures first.
    func preview() throws(ImageCodingError) -> DecodedImage?

    /// Ends the file: the picture, the very same that ``ImageCoder/decode(_:options:)`` makes of all bytes at once.
    ///
    /// To be called once, as the last call.
    func finish() throws(ImageCodingError) -> DecodedImage
}
