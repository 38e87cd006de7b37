#if HEIC
import MagpieConcurrency

/// The frames of a HEIC sequence; one caller at a time.
final class HEICFrames: ImageFrameSource {
    let info: ImageInfo
    private let sequence: Lock<HEICSequence>

    init(_ sequence: sending HEICSequence) {
        info = sequence.info
        self.sequence = Lock(sequence)
    }

    func frame(at index: Int) throws(ImageCodingError) -> Bitmap {
        try sequence.withLock { (sequence) throws(ImageCodingError) in try sequence.image(at: index).bitmap }
    }
}
#endif
