/// What the fourth channel of a bitmap means.
public enum AlphaMode: Sendable, Hashable {
    /// Every pixel covers what is below it; the alpha bytes are 255.
    case opaque
    /// The colour channels are multiplied by alpha already: the layout to show and to scale.
    case premultiplied
    /// The colour channels are independent of alpha, as PNG and WebP files store them.
    case straight
}
