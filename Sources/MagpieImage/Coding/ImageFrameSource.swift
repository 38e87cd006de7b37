/// Frames of an animation, each decoded when it is asked for.
///
/// A still picture is a source of one frame. Calls may come from any thread; they are synchronous and take the time that
/// decoding takes. Asking for the frames in order is what sources are fastest at.
public protocol ImageFrameSource: Sendable {
    /// The header: number of frames, their durations as stored, loop count; sizes are those of the file.
    var info: ImageInfo { get }

    /// Decodes a frame as a viewer would show it: laid upon the frames before it, upright, at the size asked for.
    ///
    /// - Parameter index: 0 up to, not including, ``frameCount``.
    /// - Throws: ``ImageCodingError/noSuchFrame(_:of:)`` for any other index; what decoding throws.
    func frame(at index: Int) throws(ImageCodingError) -> Bitmap
}

extension ImageFrameSource {
    /// Number of frames; at least 1.
    public var frameCount: Int { info.frameCount }

    /// How often the animation plays; 0 for ever.
    public var loopCount: Int { info.loopCount ?? 1 }

    /// How long a frame is shown.
    ///
    /// Below 11 ms, where a file says nothing sensible, 100 ms, as browsers do and SDWebImage does.
    public func duration(at index: Int) -> Duration {
        guard info.frameDurations.indices.contains(index) else { return .zero }
        let stored = info.frameDurations[index]
        return .microseconds(Int64(stored < 11 ? 100_000 : (stored * 1000).rounded()))
    }
}

/// A picture that is decoded already, as a source of one frame.
struct StillFrame: ImageFrameSource {
    let info: ImageInfo
    private let bitmap: Bitmap

    init(_ image: DecodedImage) {
        var info = image.info
        (info.frameCount, info.frameDurations, info.loopCount) = (1, [], nil)
        self.info = info
        bitmap = image.bitmap
    }

    /// A picture that comes from no file.
    init(_ bitmap: Bitmap) {
        info = ImageInfo(
            format: .png,
            width: bitmap.width,
            height: bitmap.height,
            hasAlpha: bitmap.alpha != .opaque
        )
        self.bitmap = bitmap
    }

    func frame(at index: Int) throws(ImageCodingError) -> Bitmap {
        guard index == 0 else { throw .noSuchFrame(index, of: 1) }
        return bitmap
    }
}
