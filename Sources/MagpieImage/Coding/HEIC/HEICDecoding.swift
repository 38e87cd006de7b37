#if HEIC
import CHEIF
import Foundation

/// One run of libheif over the primary picture of one file.
struct HEICDecoding {
    let file: FileBytes
    let header: HEIFHeader
    let options: ImageDecodeOptions

    func run() throws(ImageCodingError) -> DecodedImage {
        let info = header.info
        // The planes of the codec, and the RGBA that is made of them, of two bytes a channel where there are more than 8 bits.
        let (planes, overflow) = info.pixelBytes.multipliedReportingOverflow(by: info.bitsPerChannel > 8 ? 4 : 2)
        try options.limits.check(bytes: overflow ? Int.max : planes)
        let session = try Session(file, limits: options.limits)
        let image = try decode(session)
        defer { heif_image_release(image) }
        let isPremultiplied = heif_image_handle_is_premultiplied_alpha(session.handle) != 0
        let buffer = try BitmapBuffer(
            width: info.width,
            height: info.height,
            alpha: !info.hasAlpha ? .opaque : isPremultiplied ? .premultiplied : .straight
        )
        try copy(image, into: buffer)
        return try buffer.decoded(info, options: options, colorSpace: header.colorSpace)
    }

    /// A libheif context and its primary picture.
    private final class Session {
        let context: OpaquePointer
        let handle: OpaquePointer

        init(_ file: FileBytes, limits: ImageLimits) throws(ImageCodingError) {
            guard let context = heif_context_alloc() else { throw .outOfMemory(bytes: 0) }
            // The size of a side, which libheif checks; the pixels are checked already.
            heif_context_set_maximum_image_size_limit(context, Int32(UInt16.max))
            heif_context_set_max_decoding_threads(context, 0)
            var handle: OpaquePointer?
            var error = heif_context_read_from_memory_without_copy(
                context,
                file.bytes.baseAddress,
                file.bytes.count,
                nil
            )
            if error.code == heif_error_Ok { error = heif_context_get_primary_image_handle(context, &handle) }
            guard error.code == heif_error_Ok, let handle else {
                let failure = HEICDecoding.failure(error)
                heif_context_free(context)
                throw failure
            }
            self.context = context
            self.handle = handle
        }

        deinit {
            heif_image_handle_release(handle)
            heif_context_free(context)
        }
    }

    /// Decodes to RGBA as stored, not turned; the caller releases it.
    private func decode(_ session: Session) throws(ImageCodingError) -> OpaquePointer {
        guard let settings = heif_decoding_options_alloc() else { throw .outOfMemory(bytes: 0) }
        defer { heif_decoding_options_free(settings) }
        settings.pointee.ignore_transformations = 1
        let chroma = header.info.bitsPerChannel > 8 ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RGBA
        var image: OpaquePointer?
        let error = heif_decode_image(session.handle, &image, heif_colorspace_RGB, chroma, settings)
        guard error.code == heif_error_Ok, let image else { throw Self.failure(error) }
        return image
    }

    private func copy(_ image: OpaquePointer, into buffer: borrowing BitmapBuffer) throws(ImageCodingError) {
        var stride: Int32 = 0
        guard let plane = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride),
            heif_image_get_width(image, heif_channel_interleaved) == Int32(clamping: buffer.width),
            heif_image_get_height(image, heif_channel_interleaved) == Int32(clamping: buffer.height)
        else { throw .corrupt(.heic, "its picture is not as large as its header says") }
        let depth = Int(heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved))
        let isWide = heif_image_get_chroma_format(image) == heif_chroma_interleaved_RRGGBBAA_LE
        for index in 0..<buffer.height {
            guard let row = buffer.row(index) else { return }
            let source = plane + index * Int(stride)
            if isWide {
                narrow(source, depth: depth, into: row.assumingMemoryBound(to: UInt8.self), count: buffer.width * 4)
            } else {
                row.copyMemory(from: source, byteCount: buffer.bytesPerRow)
            }
        }
    }

    /// Rounds numbers of 9 to 16 bits to 8.
    private func narrow(_ source: UnsafePointer<UInt8>, depth: Int, into row: UnsafeMutablePointer<UInt8>, count: Int) {
        let most = UInt32(1) << UInt32(min(16, max(8, depth))) - 1
        for index in 0..<count {
            let value = UInt32(source[2 * index]) | UInt32(source[2 * index + 1]) << 8
            row[index] = UInt8((min(value, most) * 255 + most / 2) / most)
        }
    }

    private static func failure(_ error: heif_error) -> ImageCodingError {
        let text = error.message.map { String(cString: $0) } ?? "it cannot be decoded"
        switch (error.code, error.subcode) {
        case (heif_error_Memory_allocation_error, _): return .outOfMemory(bytes: 0)
        case (_, heif_suberror_End_of_data): return .truncated(.heic, decodedRows: 0, ofRows: 0)
        case (heif_error_Unsupported_feature, _), (heif_error_Unsupported_filetype, _):
            return .unsupportedFeature(.heic, text)
        default: return .corrupt(.heic, text)
        }
    }
}
#endif
