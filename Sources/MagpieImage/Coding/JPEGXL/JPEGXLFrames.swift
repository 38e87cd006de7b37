#if JPEGXL
import MagpieConcurrency

/// The frames of a JPEG XL animation; one caller at a time.
final class JPEGXLFrames: ImageFrameSource {
    let info: ImageInfo
    private let decoding: Lock<JPEGXLDecoding>

    init(_ decoding: sending JPEGXLDecoding, info: ImageInfo) {
        self.info = info
        self.decoding = Lock(decoding)
    }

    func frame(at index: Int) throws(ImageCodingError) -> Bitmap {
        try decoding.withLock { (decoding) throws(ImageCodingError) in try decoding.image(at: index).bitmap }
    }
}
#endif
