/// A picture file format, such as JPEG or PNG.
///
/// The set is open: a coder of your own may name a format that is not listed here.
/// A format that is listed is recognised by ``detect(_:)`` even where no coder can decode it, so that errors can name it.
public struct ImageFormat: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The stable lower-case name, which is the usual file extension or close to it, such as `jpeg` or `png`.
    public let rawValue: String

    /// Names a format; any non-empty lower-case word will do for a format of your own.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// JPEG (ISO/IEC 10918-1), baseline and progressive.
    public static let jpeg = ImageFormat(rawValue: "jpeg")
    /// PNG (ISO/IEC 15948), one still picture.
    public static let png = ImageFormat(rawValue: "png")
    /// Animated PNG: a PNG with an `acTL` chunk before its first `IDAT`.
    public static let apng = ImageFormat(rawValue: "apng")
    /// GIF 87a and 89a, still or animated.
    public static let gif = ImageFormat(rawValue: "gif")
    /// WebP (RFC 9649), lossy or lossless, still or animated.
    public static let webp = ImageFormat(rawValue: "webp")
    /// AVIF: AV1 in ISO base media (HEIF).
    public static let avif = ImageFormat(rawValue: "avif")
    /// HEIC and HEIF: HEVC and others in ISO base media.
    public static let heic = ImageFormat(rawValue: "heic")
    /// An image sequence of HEIF, coded as HEVC.
    public static let heics = ImageFormat(rawValue: "heics")
    /// JPEG XL (ISO/IEC 18181), naked code stream or boxed.
    public static let jxl = ImageFormat(rawValue: "jxl")
    /// TIFF 6.0 and BigTIFF.
    public static let tiff = ImageFormat(rawValue: "tiff")
    /// Windows bitmap.
    public static let bmp = ImageFormat(rawValue: "bmp")
    /// Windows icon or cursor.
    public static let ico = ImageFormat(rawValue: "ico")
    /// SVG: an XML document whose root element is `svg`.
    public static let svg = ImageFormat(rawValue: "svg")

    /// The media type registered with IANA, or `application/octet-stream` for a format that is not listed above.
    public var mimeType: String {
        Self.table[self]?.mimeType ?? "application/octet-stream"
    }

    /// The usual file extension, with no dot; the raw value for a format that is not listed above.
    public var fileExtension: String {
        Self.table[self]?.extensions.first ?? rawValue
    }

    /// The format that a file extension usually stands for.
    ///
    /// - Parameter fileExtension: With or without the dot, in any letter case. An unknown one gives nil.
    public init?(fileExtension: String) {
        let wanted = fileExtension.drop { $0 == "." }.lowercased()
        guard let found = Self.table.first(where: { $0.value.extensions.contains(wanted) }) else { return nil }
        self = found.key
    }

    /// The name as people write it: `JPEG`, `WebP`, `JPEG XL`.
    public var description: String {
        Self.table[self]?.name ?? rawValue.uppercased()
    }

    private struct Facts {
        let name: String
        let mimeType: String
        let extensions: [String]
    }

    private static let table: [ImageFormat: Facts] = [
        .jpeg: Facts(name: "JPEG", mimeType: "image/jpeg", extensions: ["jpg", "jpeg", "jpe", "jfif"]),
        .png: Facts(name: "PNG", mimeType: "image/png", extensions: ["png"]),
        .apng: Facts(name: "APNG", mimeType: "image/apng", extensions: ["apng"]),
        .gif: Facts(name: "GIF", mimeType: "image/gif", extensions: ["gif"]),
        .webp: Facts(name: "WebP", mimeType: "image/webp", extensions: ["webp"]),
        .avif: Facts(name: "AVIF", mimeType: "image/avif", extensions: ["avif", "avifs"]),
        .heic: Facts(name: "HEIC", mimeType: "image/heic", extensions: ["heic", "heif", "hif"]),
        .heics: Facts(name: "HEIC sequence", mimeType: "image/heic-sequence", extensions: ["heics", "heifs"]),
        .jxl: Facts(name: "JPEG XL", mimeType: "image/jxl", extensions: ["jxl"]),
        .tiff: Facts(name: "TIFF", mimeType: "image/tiff", extensions: ["tiff", "tif"]),
        .bmp: Facts(name: "BMP", mimeType: "image/bmp", extensions: ["bmp", "dib"]),
        .ico: Facts(name: "ICO", mimeType: "image/vnd.microsoft.icon", extensions: ["ico", "cur"]),
        .svg: Facts(name: "SVG", mimeType: "image/svg+xml", extensions: ["svg"]),
    ]
}
