import Foundation

/// One decode of one file whose bytes come in pieces: what a coder writes, for one thread at a time.
///
/// A decode of all bytes at once is the same thing, `finish` being its only call. ``StreamDecoder`` makes an
/// ``IncrementalImageDecoder`` of it.
protocol PictureStream {
    /// The header, as soon as it has come.
    var info: ImageInfo? { get }

    /// Works on the bytes that were not used up the last time, with the new ones behind them.
    ///
    /// Damage to pixels is kept for ``finish(_:)``.
    /// - Returns: How many of the bytes are used up.
    /// - Throws: What makes the picture impossible already.
    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(ImageCodingError) -> Int

    /// The picture so far; nil where there is nothing new to see.
    mutating func preview() throws(ImageCodingError) -> DecodedImage?

    /// Works on the last bytes and gives the picture.
    mutating func finish(_ bytes: UnsafeRawBufferPointer) throws(ImageCodingError) -> DecodedImage
}

extension PictureStream {
    /// Decodes a whole file.
    consuming func decode(_ data: Data) throws(ImageCodingError) -> DecodedImage {
        var stream = self
        return try data.withReader { (reader) throws(ImageCodingError) in try stream.finish(reader.bytes) }
    }
}
