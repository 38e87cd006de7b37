#if JPEGXL
import CJXL
import Foundation

/// A libjxl decoder: bytes go in, events come out.
final class JPEGXLStream {
    let decoder: OpaquePointer
    private let events: Int32

    /// - Parameter events: What is to be told of, beside the need for more bytes or memory.
    init(_ events: JxlDecoderStatus...) throws(ImageCodingError) {
        guard let decoder = JxlDecoderCreate(nil) else { throw .outOfMemory(bytes: 0) }
        self.decoder = decoder
        self.events = Int32(events.reduce(0) { $0 | $1.rawValue })
        guard JxlDecoderSubscribeEvents(decoder, self.events) == JXL_DEC_SUCCESS,
            JxlDecoderSetKeepOrientation(decoder, JXL_TRUE) == JXL_DEC_SUCCESS,
            // It divides before it rounds.
            JxlDecoderSetUnpremultiplyAlpha(decoder, JXL_TRUE) == JXL_DEC_SUCCESS
        else { throw .corrupt(.jxl, "the library is of another version") }
    }

    deinit { JxlDecoderDestroy(decoder) }

    /// Gives bytes, which must stay where they are until they are taken back.
    ///
    /// The input is never closed: so the need for more of it tells a file that is cut off from a damaged one.
    func setInput(_ bytes: UnsafeRawBufferPointer) {
        JxlDecoderSetInput(decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    /// Takes the input back.
    ///
    /// - Returns: How many of its last bytes are to be given again, before those that follow.
    func releaseInput() -> Int {
        JxlDecoderReleaseInput(decoder)
    }

    /// Begins again, with the same bytes; what is known of the frames makes it quicker to skip some.
    func rewind(to bytes: UnsafeRawBufferPointer) {
        JxlDecoderRewind(decoder)
        // Its documentation says that events stay subscribed to; those that were told already do not.
        JxlDecoderSubscribeEvents(decoder, events)
        setInput(bytes)
    }

    /// Works until there is something to tell.
    func next() -> JxlDecoderStatus {
        JxlDecoderProcessInput(decoder)
    }

    /// Lets the next frame be written into a buffer of the picture's stored size.
    func setOutput(_ buffer: borrowing BitmapBuffer) -> Bool {
        var format = JxlPixelFormat(num_channels: 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
        return JxlDecoderSetImageOutBuffer(decoder, &format, buffer.row(0), buffer.bytesPerRow * buffer.height)
            == JXL_DEC_SUCCESS
    }

    /// The header, after the event of that name.
    func basicInfo() -> JxlBasicInfo? {
        var basic = JxlBasicInfo()
        return JxlDecoderGetBasicInfo(decoder, &basic) == JXL_DEC_SUCCESS ? basic : nil
    }

    /// Settles what the numbers that come out mean, at the event of that name.
    ///
    /// A picture in libjxl's own colours is asked for as sRGB where the file has an ICC profile, which libjxl does not
    /// convert to.
    func settleColorSpace() -> ColorSpace {
        var encoded = JxlColorEncoding()
        let target = JXL_COLOR_PROFILE_TARGET_DATA
        if let basic = basicInfo(), basic.uses_original_profile == 0,
            JxlDecoderGetColorAsEncodedProfile(decoder, nil, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &encoded)
                != JXL_DEC_SUCCESS
        {
            JxlColorEncodingSetToSRGB(&encoded, basic.num_color_channels == 1 ? JXL_TRUE : JXL_FALSE)
            if JxlDecoderSetPreferredColorProfile(decoder, &encoded) == JXL_DEC_SUCCESS { return .sRGB }
        }
        if JxlDecoderGetColorAsEncodedProfile(decoder, nil, target, &encoded) == JXL_DEC_SUCCESS,
            encoded.transfer_function == JXL_TRANSFER_FUNCTION_SRGB, encoded.white_point == JXL_WHITE_POINT_D65,
            encoded.primaries == JXL_PRIMARIES_SRGB || encoded.color_space == JXL_COLOR_SPACE_GRAY
        {
            return .sRGB
        }
        var size = 0
        guard JxlDecoderGetICCProfileSize(decoder, nil, target, &size) == JXL_DEC_SUCCESS, size > 0 else {
            return .unknown
        }
        var profile = Data(count: size)
        let status = profile.withUnsafeMutableBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return JxlDecoderGetColorAsICCProfile(decoder, nil, target, start, bytes.count)
        }
        return status == JXL_DEC_SUCCESS ? ICCProfile.colorSpace(ofRGB: profile) : .unknown
    }
}
#endif
