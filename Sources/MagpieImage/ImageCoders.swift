public import Foundation
import MagpieConcurrency

/// The coders in use; the last registered that wants a file gets it.
///
/// Safe to use from any thread. No lock is held while a coder runs. There is no fallback, but for a wrong
/// ``ImageDecodeOptions/typeHint``: where the coder that was chosen fails, that is the result.
public final class ImageCoders: Sendable {
    /// The registry that is used unless another is given.
    ///
    /// It begins with all coders of this build.
    public static let shared = ImageCoders()

    private let registered: Lock<[any ImageCoder]>

    /// Makes a registry of your own.
    ///
    /// - Parameter coders: In order of registration: the last is asked first.
    public init(_ coders: [any ImageCoder] = ImageCoders.builtIn) {
        registered = Lock(coders)
    }

    /// The coders of this build: JPEG, PNG, BMP, ICO, and those that the package's traits switch on.
    public static var builtIn: [any ImageCoder] {
        var coders: [any ImageCoder] = [JPEGCoder(), PNGCoder(), BMPCoder(), ICOCoder()]
        #if GIF
        coders.append(GIFCoder())
        #endif
        #if WebP
        coders.append(WebPCoder())
        #endif
        #if TIFF
        coders.append(TIFFCoder())
        #endif
        #if SVG
        coders.append(SVGCoder())
        #endif
        return coders
    }

    /// The coders in order of registration.
    public var coders: [any ImageCoder] { registered.withLock { $0 } }

    /// Adds a coder, which is asked before all others from now on.
    public func register(_ coder: any ImageCoder) {
        registered.withLock { $0.append(coder) }
    }

    /// Takes all coders of a type out.
    public func remove(_ type: any ImageCoder.Type) {
        registered.withLock { $0.removeAll { Swift.type(of: $0) == type } }
    }

    /// Whether some coder wants these bytes, which may be only the beginning of a file.
    public func canDecode(_ data: Data) -> Bool {
        coders.contains { $0.canDecode(data) }
    }

    /// Whether some coder writes the format.
    public func canEncode(_ format: ImageFormat) -> Bool {
        coders.contains { $0.canEncode(format) }
    }

    /// Reads a picture's header.
    public func info(_ data: Data, limits: ImageLimits = .standard) throws(ImageCodingError) -> ImageInfo {
        try decoder(for: data).info(data, limits: limits)
    }

    /// Decodes a picture, or the first frame of an animation.
    ///
    /// Takes the time that decoding takes: call it where blocking is fine.
    public func decode(
        _ data: Data,
        options: ImageDecodeOptions = ImageDecodeOptions()
    ) throws(ImageCodingError) -> DecodedImage {
        var image = try withDecoder(for: data, hint: options.typeHint) { (coder) throws(ImageCodingError) in
            try coder.decode(data, options: options)
        }
        image.scale = options.scale
        return image
    }

    /// Begins a decode whose bytes are yet to come.
    ///
    /// Which coder gets them is found out when the first bytes are there. With one that needs the whole file there are no
    /// previews.
    public func incrementalDecoder(options: ImageDecodeOptions = ImageDecodeOptions()) -> IncrementalDecoder {
        IncrementalDecoder(coders: self, options: options)
    }

    /// Opens a picture for its frames; a still picture is one of one frame, and so is any with
    /// ``ImageDecodeOptions/firstFrameOnly``.
    public func frames(
        of data: Data,
        options: ImageDecodeOptions = ImageDecodeOptions()
    ) throws(ImageCodingError) -> any ImageFrameSource {
        if options.firstFrameOnly { return StillFrame(try decode(data, options: options)) }
        return try withDecoder(for: data, hint: options.typeHint) { (coder) throws(ImageCodingError) in
            try coder.frames(of: data, options: options)
        }
    }

    /// Writes a bitmap as a file.
    public func encode(
        _ bitmap: Bitmap,
        as format: ImageFormat,
        options: ImageEncodeOptions = ImageEncodeOptions()
    ) throws(ImageCodingError) -> Data {
        try encoder(for: format).encode(bitmap, as: format, options: options)
    }

    /// Writes an animation as a file; where the format knows stills only, its first frame.
    public func encode(
        frames: any ImageFrameSource,
        as format: ImageFormat,
        options: ImageEncodeOptions = ImageEncodeOptions()
    ) throws(ImageCodingError) -> Data {
        try encoder(for: format).encode(frames: frames, as: format, options: options)
    }

    private func encoder(for format: ImageFormat) throws(ImageCodingError) -> any ImageCoder {
        if let coder = coders.last(where: { $0.canEncode(format) }) { return coder }
        throw .cannotEncode(format, "no coder of this build writes it")
    }

    /// Tries the coder of a hint, and then that which the content asks for.
    private func withDecoder<Result>(
        for data: Data,
        hint: ImageFormat?,
        _ body: (any ImageCoder) throws(ImageCodingError) -> Result
    ) throws(ImageCodingError) -> Result {
        if let hint, !data.isEmpty, let coder = coders.last(where: { $0.decodableFormats.contains(hint) }),
            let result = try? body(coder)
        {
            return result
        }
        return try body(decoder(for: data))
    }

    private func decoder(for data: Data) throws(ImageCodingError) -> any ImageCoder {
        if let coder = coders.last(where: { $0.canDecode(data) }) { return coder }
        if data.isEmpty { throw .empty }
        if let format = ImageFormat.detect(data) { throw .unsupportedFormat(format) }
        throw .unknownFormat(looksLike: data.withUnsafeBytes { ContentGuess.describe(ByteReader($0)) })
    }
}
