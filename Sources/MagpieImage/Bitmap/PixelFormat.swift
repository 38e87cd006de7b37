/// How a pixel lies in memory.
public enum PixelFormat: Sendable, Hashable {
    /// Four bytes a pixel: red, green, blue, alpha, in this order in memory.
    case rgba8
    /// Four bytes a pixel: blue, green, red, alpha, in this order in memory, as Cairo, GDK and Windows want them.
    case bgra8
    /// Eight bytes a pixel: red, green, blue, alpha, each 0…65535 in the byte order of the machine.
    case rgba16

    /// Bytes a pixel takes.
    public var bytesPerPixel: Int { isDeep ? 8 : 4 }

    /// Whether a channel has 16 bits rather than 8.
    public var isDeep: Bool { self == .rgba16 }
}
