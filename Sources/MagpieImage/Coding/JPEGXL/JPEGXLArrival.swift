#if JPEGXL
import CJXL
import Foundation

/// A libjxl decoder over a file that is arriving; one thread at a time.
final class JPEGXLArrival {
    private(set) var header: JPEGXLHeader?
    private let options: ImageDecodeOptions
    private var stream: JPEGXLStream?
    /// Bytes that the decoder wants to see again.
    private var pending = Data()
    private var canvas: BitmapBuffer?
    private var colorSpace = ColorSpace.sRGB
    private var isFirstFrameDone = false
    private var hasNews = false
    private var failure: ImageCodingError?

    init(options: ImageDecodeOptions) {
        self.options = options
    }

    func append(_ bytes: Data) throws(ImageCodingError) {
        if let failure { throw failure }
        guard !bytes.isEmpty else { return }
        do {
            try take(bytes)
        } catch {
            failure = error
            throw error
        }
    }

    func preview() throws(ImageCodingError) -> DecodedImage? {
        if let failure { throw failure }
        guard hasNews, let header, let copy = try coarsePicture() else { return nil }
        hasNews = false
        let missing: Double? = isFirstFrameDone ? nil : 1
        return try copy.decoded(header.info, options: options, colorSpace: colorSpace, missing: missing)
    }

    func finish() throws(ImageCodingError) -> DecodedImage {
        if let failure { throw failure }
        guard stream != nil else { throw .empty }
        guard let header else { throw .truncated(.jxl, decodedRows: 0, ofRows: 0) }
        let isWhole = isFirstFrameDone
        guard isWhole || options.allowsPartial && flush(), let canvas = canvas.take() else {
            throw .truncated(.jxl, decodedRows: 0, ofRows: header.info.height)
        }
        return try canvas.decoded(header.info, options: options, colorSpace: colorSpace, missing: isWhole ? nil : 1)
    }

    private func take(_ bytes: Data) throws(ImageCodingError) {
        if stream == nil {
            stream = try JPEGXLStream(JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME, JXL_DEC_FULL_IMAGE)
        }
        pending += bytes
        let input = pending
        let result = input.withUnsafeBytes { bytes in
            Result { () throws(ImageCodingError) -> Int in
                stream?.setInput(bytes)
                // The bytes are valid in here only.
                defer { pending = input.suffix(stream?.releaseInput() ?? 0) }
                try work()
                return 0
            }
        }
        _ = try result.get()
    }

    /// Takes events until the decoder wants more bytes.
    private func work() throws(ImageCodingError) {
        while let event = stream?.next(), event != JXL_DEC_NEED_MORE_INPUT, event != JXL_DEC_SUCCESS {
            switch event {
            case JXL_DEC_BASIC_INFO:
                guard let basic = stream?.basicInfo() else { throw .corrupt(.jxl, "its header is damaged") }
                let header = try JPEGXLHeader(basic, limits: options.limits)
                try options.limits.check(bytes: header.info.pixelBytes)
                self.header = header
            case JXL_DEC_COLOR_ENCODING:
                colorSpace = stream?.settleColorSpace() ?? .unknown
            case JXL_DEC_FRAME:
                try countFrame()
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
                try provideCanvas()
            case JXL_DEC_FULL_IMAGE:
                isFirstFrameDone = true
            default:
                throw .corrupt(.jxl, header == nil ? "its header is damaged" : "its picture data is damaged")
            }
        }
        hasNews = hasNews || !isFirstFrameDone || canvas != nil
    }

    private func countFrame() throws(ImageCodingError) {
        guard var header else { return }
        if let decoder = stream?.decoder { try header.addFrame(of: decoder, limits: options.limits) }
        self.header = header
    }

    /// The first frame is decoded; those after it are only counted.
    private func provideCanvas() throws(ImageCodingError) {
        guard let header, let decoder = stream?.decoder else { return }
        if isFirstFrameDone {
            guard JxlDecoderSkipCurrentFrame(decoder) == JXL_DEC_SUCCESS else {
                throw .corrupt(.jxl, "its frames are damaged")
            }
            return
        }
        let buffer = try header.canvas()
        guard stream?.setOutput(buffer) == true else { throw .corrupt(.jxl, "its picture data is damaged") }
        canvas = consume buffer
    }

    private func flush() -> Bool {
        guard canvas != nil, let decoder = stream?.decoder else { return false }
        return JxlDecoderFlushImage(decoder) == JXL_DEC_SUCCESS
    }

    /// A copy of what the canvas shows by now.
    private func coarsePicture() throws(ImageCodingError) -> BitmapBuffer? {
        guard isFirstFrameDone || flush(), let header else { return nil }
        let copy = try header.canvas()
        guard let from = canvas?.row(0), let to = copy.row(0) else { return nil }
        to.copyMemory(from: from, byteCount: copy.bytesPerRow * copy.height)
        return copy
    }
}
#endif
