#if AVIF
import MagpieConcurrency

/// The frames of an AVIF sequence; one caller at a time.
final class AVIFFrames: ImageFrameSource {
    let info: ImageInfo
    private let decoding: Lock<AVIFDecoding>

    init(_ decoding: sending AVIFDecoding) {
        info = decoding.info
        self.decoding = Lock(decoding)
    }

    func frame(at index: Int) throws(ImageCodingError) -> Bitmap {
        try decoding.withLock { (decoding) throws(ImageCodingError) in try decoding.image(at: index).bitmap }
    }
}
#endif
