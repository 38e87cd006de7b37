/// The frames of an animation as its file stores them, before they are laid upon each other.
protocol FrameParts: Sendable {
    /// The header of the file.
    var info: ImageInfo { get }
    /// Whether all pixels are opaque, or black and transparent, so that there is nothing to multiply by alpha.
    var isAlphaAllOrNothing: Bool { get }
    /// One for each frame.
    var parts: [FramePart] { get }

    /// Decodes a frame onto the canvas, into its rectangle, blended as its part says.
    ///
    /// - Returns: The share of its rows that a damaged file did not deliver, where that is allowed; nil for a whole frame.
    func paint(_ index: Int, on canvas: Canvas) throws(ImageCodingError) -> Double?
}

extension FrameParts {
    var isAlphaAllOrNothing: Bool { !info.hasAlpha }
}
