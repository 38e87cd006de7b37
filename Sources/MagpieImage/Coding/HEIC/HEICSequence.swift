#if HEIC
import Foundation

/// The track of a HEIC sequence, and the one of its alpha; one thread at a time.
final class HEICSequence: FrameDecoder {
    let info: ImageInfo
    private let colorSpace: ColorSpace
    private let options: ImageDecodeOptions
    private let color: HEVCStream
    private let alpha: HEVCStream?

    init(
        _ file: FileBytes,
        header: HEIFHeader,
        track: ISOTrack,
        options: ImageDecodeOptions
    ) throws(ImageCodingError) {
        info = header.info
        colorSpace = header.colorSpace
        self.options = options
        // libde265 keeps up to 16 pictures to predict from.
        let (bytes, overflow) = info.pixelBytes.multipliedReportingOverflow(by: 16)
        try options.limits.check(bytes: overflow ? Int.max : bytes)
        color = try HEVCStream(file, track: track, size: info.storedSize)
        if let track = header.alphaTrack {
            alpha = try HEVCStream(file, track: track, size: info.storedSize)
        } else {
            alpha = nil
        }
    }

    /// Decodes a frame.
    func image(at index: Int) throws(ImageCodingError) -> DecodedImage {
        guard index >= 0, index < info.frameCount else { throw .noSuchFrame(index, of: info.frameCount) }
        let buffer = try BitmapBuffer(
            width: info.width,
            height: info.height,
            alpha: info.hasAlpha ? .straight : .opaque
        )
        try color.picture(at: index) { (picture) throws(ImageCodingError) in
            try check(picture)
            picture.write(to: buffer)
        }
        try alpha?.picture(at: index) { (picture) throws(ImageCodingError) in
            try check(picture)
            picture.writeAlpha(to: buffer)
        }
        return try buffer.decoded(info, options: options, colorSpace: colorSpace)
    }

    private func check(_ picture: HEVCPicture) throws(ImageCodingError) {
        guard picture.size == info.storedSize else {
            throw .corrupt(.heic, "its frames are not as large as its header says")
        }
    }
}
#endif
