/// How a picture is to be encoded.
public struct ImageEncodeOptions: Sendable, Hashable {
    /// 0 (smallest) to 1 (best), 0.9 unless said otherwise; values outside are clamped.
    ///
    /// Lossless formats ignore it.
    public var quality: Double
    /// What is put behind transparent pixels where a format has no alpha (JPEG); white unless said otherwise.
    ///
    /// Its own alpha is ignored.
    public var background: PixelColor
    /// true writes without loss where a format can do both (WebP); ``quality`` is then ignored.
    public var isLossless: Bool

    /// Makes options; the defaults suit photographs.
    public init(quality: Double = 0.9, background: PixelColor = .white, isLossless: Bool = false) {
        self.quality = quality
        self.background = background
        self.isLossless = isLossless
    }

    /// ``quality`` as the 0…100 of the C libraries.
    var percent: Double {
        quality.isNaN ? 90 : max(0, min(1, quality)) * 100
    }
}
