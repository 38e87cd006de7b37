/// Where a frame of an animation goes on its canvas, and what becomes of it there.
struct FramePart {
    /// How a frame meets what is on the canvas.
    enum Blend: UInt8 {
        /// It replaces all of its rectangle, transparent pixels included.
        case source
        /// It is laid over what is there.
        case over
    }

    /// What is done to a frame's rectangle before the next frame comes, numbered as APNG does.
    enum Disposal: UInt8 {
        case keep
        /// It becomes transparent.
        case clear
        /// It becomes what it was before the frame.
        case restore
    }

    /// May reach beyond the canvas, which clips it.
    var rect: PixelRect
    var blend = Blend.source
    var disposal = Disposal.keep

    /// Whether the rectangle is the whole canvas, or more.
    func covers(_ canvas: PixelSize) -> Bool {
        rect.clipped(to: canvas) == PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
    }
}
