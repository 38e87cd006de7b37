/// How a pixel lies in memory.
public enum PixelFormat: Sendable, Hashable {
    /// Four bytes a pixel: red, green, blue, alpha, in this order in memory.
    case rgba8

    /// Bytes a pixel takes.
    public var bytesPerPixel: Int { 4 }
}
