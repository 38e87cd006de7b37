import MagpieConcurrency

/// Decodes the frames of one animation with a library that composes them itself; for one thread at a time.
protocol FrameDecoder {
    /// The header of the file.
    var info: ImageInfo { get }

    /// Decodes a frame as a viewer would show it.
    func image(at index: Int) throws(ImageCodingError) -> DecodedImage
}

/// The frames that a decoder gives, one caller at a time.
final class LockedFrames<Decoder: FrameDecoder>: ImageFrameSource {
    let info: ImageInfo
    private let decoder: Lock<Decoder>

    init(_ decoder: sending Decoder) {
        info = decoder.info
        self.decoder = Lock(decoder)
    }

    func frame(at index: Int) throws(ImageCodingError) -> Bitmap {
        try decoder.withLock { (decoder) throws(ImageCodingError) in try decoder.image(at: index).bitmap }
    }
}
