#if TIFF
import Foundation

/// The pages of a TIFF, as frames that have no durations.
///
/// Each page has its own size, which need not be that of the first.
struct TIFFPages: ImageFrameSource {
    let data: Data
    let info: ImageInfo
    let options: ImageDecodeOptions

    func frame(at index: Int) throws(ImageCodingError) -> Bitmap {
        guard index >= 0, index < info.frameCount else { throw .noSuchFrame(index, of: info.frameCount) }
        return try TIFFCoder.decode(data, page: index, options: options).bitmap
    }
}
#endif
