import MagpieConcurrency

/// The frames of an animation as they are shown, from frames as a file stores them.
///
/// Safe to use from any thread; calls wait for each other.
final class ComposedFrames: ImageFrameSource {
    let info: ImageInfo
    private let source: any FrameParts
    private let options: ImageDecodeOptions
    private let composer: Lock<FrameComposer>
    /// Whether a frame may show transparent pixels, which is more than that the file declares them.
    private let hasAlpha: Bool

    init(_ source: any FrameParts, options: ImageDecodeOptions) throws(ImageCodingError) {
        info = source.info
        hasAlpha =
            info.hasAlpha || source.parts.contains { $0.disposal != .keep }
            || !(source.parts.first?.covers(info.storedSize) ?? false)
        self.source = source
        self.options = options
        composer = Lock(try FrameComposer(source, options: options))
    }

    func frame(at index: Int) throws(ImageCodingError) -> Bitmap {
        try decoded(index).bitmap
    }

    /// A frame, and what a damaged file did not deliver of it.
    func decoded(_ index: Int) throws(ImageCodingError) -> DecodedImage {
        guard source.parts.indices.contains(index) else { throw .noSuchFrame(index, of: source.parts.count) }
        return try composer.withLock { (composer) throws(ImageCodingError) in
            try composer.compose(index) { (canvas, missing) throws(ImageCodingError) in
                DecodedImage(bitmap: try show(canvas, isWhole: missing == nil), info: info, missingFraction: missing)
            }
        }
    }

    /// Makes what the options ask for of the canvas.
    private func show(_ canvas: Canvas, isWhole: Bool) throws(ImageCodingError) -> Bitmap {
        var shown = info
        shown.hasAlpha = hasAlpha || !isWhole
        var sink = try RowSink(
            source: info.storedSize,
            target: options.storedTarget(for: info.storedSize, orientation: info.orientation),
            info: shown,
            options: options,
            isPremultiplied: source.isAlphaAllOrNothing && options.alpha == .premultiplied,
            colorSpace: canvas.colorSpace
        )
        sink.append(canvas.buffer, rows: info.height)
        return sink.finish()
    }
}
