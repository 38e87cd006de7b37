#if JPEGXL
import CJXL

/// A libjxl decoder over a whole file; one thread at a time.
final class JPEGXLDecoding: FrameDecoder {
    private let file: FileBytes
    private let header: JPEGXLHeader
    private let options: ImageDecodeOptions
    private let stream: JPEGXLStream
    /// The frame that comes next.
    private var position = 0
    private var colorSpace = ColorSpace.sRGB

    init(_ file: FileBytes, header: JPEGXLHeader, options: ImageDecodeOptions) throws(ImageCodingError) {
        self.file = file
        self.header = header
        self.options = options
        try options.limits.check(bytes: header.info.pixelBytes)
        stream = try JPEGXLStream(JXL_DEC_COLOR_ENCODING, JXL_DEC_FULL_IMAGE)
        stream.setInput(file.bytes)
    }

    var info: ImageInfo { header.info }

    /// Decodes a frame: the next one, or after skipping or from the beginning on another.
    func image(at index: Int) throws(ImageCodingError) -> DecodedImage {
        guard index >= 0, index < header.info.frameCount else {
            throw .noSuchFrame(index, of: header.info.frameCount)
        }
        if index < position { rewind() }
        if index > position { JxlDecoderSkipFrames(stream.decoder, index - position) }
        position = index + 1
        let buffer = try header.canvas()
        do {
            let missing = try decode(into: buffer)
            return try buffer.decoded(header.info, options: options, colorSpace: colorSpace, missing: missing)
        } catch {
            // What is left of the decoder is of no use.
            rewind()
            throw error
        }
    }

    private func rewind() {
        stream.rewind(to: file.bytes)
        position = 0
    }

    /// - Returns: 1 where the file ends before the picture does and a coarse one is there; nil for a whole one.
    private func decode(into buffer: borrowing BitmapBuffer) throws(ImageCodingError) -> Double? {
        while true {
            switch stream.next() {
            case JXL_DEC_COLOR_ENCODING:
                colorSpace = stream.settleColorSpace()
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
                guard stream.setOutput(buffer) else { throw .corrupt(.jxl, "its picture data is damaged") }
            case JXL_DEC_FULL_IMAGE:
                return nil
            case JXL_DEC_NEED_MORE_INPUT:
                if options.allowsPartial, JxlDecoderFlushImage(stream.decoder) == JXL_DEC_SUCCESS { return 1 }
                throw .truncated(.jxl, decodedRows: 0, ofRows: header.info.height)
            default:
                throw .corrupt(.jxl, "its picture data is damaged")
            }
        }
    }
}
#endif
