#if JPEGXL
import CJXL
import Foundation
import MagpieConcurrency

/// Decodes the first frame of a JPEG XL while its bytes arrive.
///
/// The header that it gives is that of the first frame until ``finish()``, since the number of frames is known only at the end.
final class IncrementalJPEGXLDecoder: IncrementalImageDecoder {
    private let state: Lock<JPEGXLArrival>

    init(options: ImageDecodeOptions) {
        state = Lock(JPEGXLArrival(options: options))
    }

    var info: ImageInfo? { state.withLock { $0.header?.info } }

    func append(_ bytes: Data) throws(ImageCodingError) {
        try state.withLock { (state) throws(ImageCodingError) in try state.append(bytes) }
    }

    func preview() throws(ImageCodingError) -> DecodedImage? {
        try state.withLock { (state) throws(ImageCodingError) in try state.preview() }
    }

    func finish() throws(ImageCodingError) -> DecodedImage {
        try state.withLock { (state) throws(ImageCodingError) in try state.finish() }
    }
}
#endif
