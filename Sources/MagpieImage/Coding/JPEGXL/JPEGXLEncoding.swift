#if JPEGXL
import CJXL
import Foundation

/// A libjxl encoder that takes frames one after the other.
final class JPEGXLEncoding {
    /// 1 (fastest) to 9; the library's own default, 7, takes several times as long for a few per cent.
    private static let effort: Int64 = 4
    /// Durations are counted in microseconds, so that none is rounded visibly.
    private static let ticksPerSecond: UInt32 = 1_000_000

    private let encoder: OpaquePointer
    private let settings: OpaquePointer
    private let size: PixelSize
    private let hasAlpha: Bool
    private let isAnimated: Bool

    /// - Parameter loopCount: Of an animation, 0 for ever; nil for a still.
    init(
        size: PixelSize,
        hasAlpha: Bool,
        colorSpace: ColorSpace,
        loopCount: Int? = nil,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) {
        guard let encoder = JxlEncoderCreate(nil) else { throw .outOfMemory(bytes: 0) }
        guard let settings = JxlEncoderFrameSettingsCreate(encoder, nil) else {
            JxlEncoderDestroy(encoder)
            throw .outOfMemory(bytes: 0)
        }
        self.encoder = encoder
        self.settings = settings
        self.size = size
        self.hasAlpha = hasAlpha
        isAnimated = loopCount != nil
        try describe(isLossless: options.isLossless, loopCount: loopCount)
        try describe(colorSpace)
        try check(JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, Self.effort))
        if options.isLossless {
            try check(JxlEncoderSetFrameLossless(settings, JXL_TRUE))
        } else {
            try check(JxlEncoderSetFrameDistance(settings, Self.distance(percent: options.percent)))
        }
    }

    deinit { JxlEncoderDestroy(encoder) }

    /// Adds a frame; the duration is that of a frame of an animation.
    func add(_ bitmap: Bitmap, duration: Duration = .zero) throws(ImageCodingError) {
        guard bitmap.size == size else { throw .cannotEncode(.jxl, "its frames are of different sizes") }
        if isAnimated {
            var header = JxlFrameHeader()
            JxlEncoderInitFrameHeader(&header)
            header.duration = UInt32(clamping: duration.wholeMicroseconds)
            try check(JxlEncoderSetFrameHeader(settings, &header))
        }
        var format = JxlPixelFormat(
            num_channels: hasAlpha ? 4 : 3,
            data_type: JXL_TYPE_UINT8,
            endianness: JXL_NATIVE_ENDIAN,
            align: 0
        )
        let pixels = hasAlpha ? [UInt8](bitmap.straightRGBA()) : bitmap.packedRGB()
        let status = pixels.withUnsafeBytes { JxlEncoderAddImageFrame(settings, &format, $0.baseAddress, $0.count) }
        try check(status)
    }

    /// Ends the file.
    func finish() throws(ImageCodingError) -> Data {
        JxlEncoderCloseInput(encoder)
        var file = Data()
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var status = JXL_ENC_NEED_MORE_OUTPUT
        while status == JXL_ENC_NEED_MORE_OUTPUT {
            let written = chunk.withUnsafeMutableBufferPointer { bytes in
                var next = bytes.baseAddress
                var left = bytes.count
                status = JxlEncoderProcessOutput(encoder, &next, &left)
                return bytes.count - left
            }
            file += chunk.prefix(written)
        }
        try check(status)
        return file
    }

    private func describe(isLossless: Bool, loopCount: Int?) throws(ImageCodingError) {
        var basic = JxlBasicInfo()
        JxlEncoderInitBasicInfo(&basic)
        guard let width = UInt32(exactly: size.width), let height = UInt32(exactly: size.height) else {
            throw .cannotEncode(.jxl, "a side is too long")
        }
        (basic.xsize, basic.ysize) = (width, height)
        basic.bits_per_sample = 8
        basic.uses_original_profile = isLossless ? JXL_TRUE : JXL_FALSE
        if hasAlpha {
            basic.num_extra_channels = 1
            basic.alpha_bits = 8
        }
        if let loopCount {
            basic.have_animation = JXL_TRUE
            basic.animation.tps_numerator = Self.ticksPerSecond
            basic.animation.tps_denominator = 1
            basic.animation.num_loops = UInt32(clamping: loopCount)
        }
        try check(JxlEncoderSetBasicInfo(encoder, &basic))
    }

    private func describe(_ colorSpace: ColorSpace) throws(ImageCodingError) {
        if case .icc(let profile) = colorSpace {
            let status = profile.withUnsafeBytes { bytes in
                JxlEncoderSetICCProfile(encoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
            }
            guard status == JXL_ENC_SUCCESS else { throw .cannotEncode(.jxl, "its ICC profile cannot be stored") }
            return
        }
        var encoding = JxlColorEncoding()
        JxlColorEncodingSetToSRGB(&encoding, JXL_FALSE)
        try check(JxlEncoderSetColorEncoding(encoder, &encoding))
    }

    /// The Butteraugli distance that `cjxl` takes for a quality: 1 for 90, which is hardly seen.
    private static func distance(percent: Double) -> Float {
        if percent >= 100 { return 0.01 }
        return Float(percent >= 30 ? 0.1 + (100 - percent) * 0.09 : 6.4 + pow(2.5, (30 - percent) / 5) / 6.25)
    }

    private func check(_ status: JxlEncoderStatus) throws(ImageCodingError) {
        guard status != JXL_ENC_SUCCESS else { return }
        let error = JxlEncoderGetError(encoder)
        if error == JXL_ENC_ERR_OOM { throw .outOfMemory(bytes: size.width * size.height * 16) }
        throw .cannotEncode(.jxl, "libjxl gave up with error \(error.rawValue)")
    }
}

extension Bitmap {
    /// Tight rows of red, green and blue.
    fileprivate func packedRGB() -> [UInt8] {
        straightRGBA().withUnsafeBytes { bytes in
            var packed = [UInt8](repeating: 0, count: bytes.count / 4 * 3)
            for pixel in 0..<(bytes.count / 4) {
                packed[3 * pixel] = bytes[4 * pixel]
                packed[3 * pixel + 1] = bytes[4 * pixel + 1]
                packed[3 * pixel + 2] = bytes[4 * pixel + 2]
            }
            return packed
        }
    }
}
#endif
