#if SVG
import CRSVG
import Foundation

/// A parsed SVG document; freed by deinit.
final class SVGDocument {
    /// The longest side of a cairo surface.
    private static let longestSide = 32_767

    /// Width and height in pixels, positive and finite.
    let width: Double
    let height: Double
    private let handle: UnsafeMutablePointer<RsvgHandle>

    init(_ data: Data) throws(ImageCodingError) {
        guard !data.isEmpty else { throw .empty }
        var problem: UnsafeMutablePointer<GError>?
        // With no base address librsvg loads nothing but `data:` addresses.
        let opened = data.withUnsafeBytes { bytes in
            rsvg_handle_new_from_data(bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), &problem)
        }
        guard let opened else { throw .corrupt(.svg, Self.message(problem)) }
        rsvg_handle_set_dpi(opened, 96)
        guard let size = Self.size(of: opened) else {
            g_object_unref(UnsafeMutableRawPointer(opened))
            throw .corrupt(.svg, "its width or height is not a positive number")
        }
        (width, height) = size
        handle = opened
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(handle))
    }

    /// Draws the document stretched to a size.
    func draw(at target: PixelSize, options: ImageDecodeOptions) throws(ImageCodingError) -> Bitmap {
        guard target.width <= Self.longestSide, target.height <= Self.longestSide else {
            throw .unsupportedFeature(.svg, "a side of more than \(Self.longestSide) pixels")
        }
        try options.limits.check(bytes: BitmapBuffer.byteCount(width: target.width, height: target.height) ?? Int.max)
        var buffer = try BitmapBuffer(
            width: target.width,
            height: target.height,
            alpha: options.alpha == .straight ? .straight : .premultiplied
        )
        let bytesPerRow = buffer.bytesPerRow
        let failure = buffer.withUnsafeMutableBytes { pixels -> String? in
            defer { Self.orderChannels(pixels, undoesPremultiplication: options.alpha == .straight) }
            return draw(into: pixels, target, bytesPerRow: bytesPerRow)
        }
        if let failure { throw .corrupt(.svg, failure) }
        return buffer.finish()
    }

    /// - Returns: What went wrong, or nil.
    private func draw(into pixels: UnsafeMutableRawBufferPointer, _ target: PixelSize, bytesPerRow: Int) -> String? {
        let surface = cairo_image_surface_create_for_data(
            pixels.bindMemory(to: UInt8.self).baseAddress,
            CAIRO_FORMAT_ARGB32,
            Int32(target.width),
            Int32(target.height),
            Int32(bytesPerRow)
        )
        let context = cairo_create(surface)
        defer {
            cairo_destroy(context)
            cairo_surface_destroy(surface)
        }
        cairo_scale(context, Double(target.width) / width, Double(target.height) / height)
        var viewport = RsvgRectangle(x: 0, y: 0, width: width, height: height)
        var problem: UnsafeMutablePointer<GError>?
        guard rsvg_handle_render_document(handle, context, &viewport, &problem) != 0 else {
            return Self.message(problem)
        }
        cairo_surface_flush(surface)
        let status = cairo_status(context)
        return status == CAIRO_STATUS_SUCCESS ? nil : String(cString: cairo_status_to_string(status))
    }

    /// Turns cairo's words of alpha, red, green and blue into bytes of red, green, blue and alpha.
    private static func orderChannels(_ pixels: UnsafeMutableRawBufferPointer, undoesPremultiplication: Bool) {
        let words = pixels.bindMemory(to: UInt32.self)
        for index in words.indices {
            let word = words[index]
            words[index] = (word & 0xFF00_FF00 | word >> 16 & 0xFF | (word & 0xFF) << 16).littleEndian
        }
        if undoesPremultiplication { Premultiplication.undo(pixels) }
    }

    private static func message(_ problem: UnsafeMutablePointer<GError>?) -> String {
        guard let problem else { return "it cannot be read" }
        defer { g_error_free(problem) }
        return problem.pointee.message.map { String(cString: $0) } ?? "it cannot be read"
    }

    private static func size(of handle: UnsafeMutablePointer<RsvgHandle>) -> (Double, Double)? {
        var (hasWidth, hasHeight, hasBox) = (gboolean(0), gboolean(0), gboolean(0))
        var (width, height) = (RsvgLength(), RsvgLength())
        var box = RsvgRectangle()
        rsvg_handle_get_intrinsic_dimensions(handle, &hasWidth, &width, &hasHeight, &height, &hasBox, &box)
        let statedWidth = hasWidth != 0 ? pixels(width) : nil
        let statedHeight = hasHeight != 0 ? pixels(height) : nil
        var size = (statedWidth ?? 300, statedHeight ?? 150)
        if hasBox != 0, box.width > 0, box.height > 0 {
            let ratio = box.width / box.height
            size.0 = statedWidth ?? statedHeight.map { $0 * ratio } ?? box.width
            size.1 = statedHeight ?? statedWidth.map { $0 / ratio } ?? box.height
        }
        return size.0 > 0 && size.1 > 0 && size.0.isFinite && size.1.isFinite ? size : nil
    }

    /// A length in pixels; nil for a share of a page that is not there.
    private static func pixels(_ length: RsvgLength) -> Double? {
        switch length.unit {
        case RSVG_UNIT_PX: length.length
        case RSVG_UNIT_IN: length.length * 96
        case RSVG_UNIT_CM: length.length * 96 / 2.54
        case RSVG_UNIT_MM: length.length * 96 / 25.4
        case RSVG_UNIT_PT: length.length * 96 / 72
        case RSVG_UNIT_PC: length.length * 16
        case RSVG_UNIT_EM: length.length * 16
        case RSVG_UNIT_EX: length.length * 8
        default: nil
        }
    }
}
#endif
