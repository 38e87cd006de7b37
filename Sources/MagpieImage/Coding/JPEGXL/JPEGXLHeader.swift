#if JPEGXL
import CJXL

/// What a JPEG XL file says of itself, without a pixel of it.
struct JPEGXLHeader {
    private(set) var info: ImageInfo
    private let tickMilliseconds: Double

    /// Reads the header and walks over the frames.
    ///
    /// An animation that is cut off has the frames that begin before its end.
    init(_ file: FileBytes, limits: ImageLimits) throws(ImageCodingError) {
        guard !file.bytes.isEmpty else { throw .empty }
        let stream = try JPEGXLStream(JXL_DEC_BASIC_INFO, JXL_DEC_FRAME)
        stream.setInput(file.bytes)
        let event = stream.next()
        guard event == JXL_DEC_BASIC_INFO, let basic = stream.basicInfo() else {
            if event == JXL_DEC_NEED_MORE_INPUT { throw .truncated(.jxl, decodedRows: 0, ofRows: 0) }
            throw .corrupt(.jxl, "its header is damaged")
        }
        try self.init(basic, limits: limits)
        guard info.loopCount != nil else { return }
        while stream.next() == JXL_DEC_FRAME {
            try addFrame(of: stream.decoder, limits: limits)
        }
        if info.frameCount == 0 { throw .truncated(.jxl, decodedRows: 0, ofRows: info.height) }
    }

    init(_ basic: JxlBasicInfo, limits: ImageLimits) throws(ImageCodingError) {
        let (width, height) = (Int(basic.xsize), Int(basic.ysize))
        try limits.check(width: width, height: height)
        guard width > 0, height > 0 else { throw .corrupt(.jxl, "it has no size") }
        let isAnimated = basic.have_animation != 0
        let animation = basic.animation
        tickMilliseconds = Double(animation.tps_denominator) * 1000 / Double(max(1, animation.tps_numerator))
        info = ImageInfo(
            format: .jxl,
            width: width,
            height: height,
            orientation: ImageOrientation(rawValue: Int(basic.orientation.rawValue)) ?? .up,
            hasAlpha: basic.alpha_bits > 0,
            frameCount: isAnimated ? 0 : 1,
            loopCount: isAnimated ? Int(animation.num_loops) : nil,
            bitsPerChannel: Int(basic.bits_per_sample),
            colorSpace: basic.num_color_channels == 1 ? "gray" : "rgb",
            isProgressive: basic.uses_original_profile == 0
        )
    }

    /// Counts a frame of an animation in, at its event.
    mutating func addFrame(of decoder: OpaquePointer, limits: ImageLimits) throws(ImageCodingError) {
        var frame = JxlFrameHeader()
        guard info.loopCount != nil, JxlDecoderGetFrameHeader(decoder, &frame) == JXL_DEC_SUCCESS else { return }
        try limits.check(frames: info.frameCount + 1, of: .jxl)
        info.frameCount += 1
        info.frameDurations.append((Double(frame.duration) * tickMilliseconds * 1000).rounded() / 1000)
    }

    /// Memory for a frame as it is stored.
    func canvas() throws(ImageCodingError) -> BitmapBuffer {
        try BitmapBuffer(width: info.width, height: info.height, alpha: info.hasAlpha ? .straight : .opaque)
    }
}
#endif
