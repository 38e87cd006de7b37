/// Converts colours to sRGB.
protocol ColorConversion: Sendable {
    /// Converts pixels, four channels each and not premultiplied, in place; alpha stays.
    func convert(_ pixels: UnsafeMutableRawPointer, count: Int)
}
