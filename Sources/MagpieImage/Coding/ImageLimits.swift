/// How much a single picture may ask for.
///
/// Checked against the header, before any pixel memory is asked for.
public struct ImageLimits: Sendable, Hashable {
    /// The most pixels (width times height as stored) that a picture may declare; 268 435 456 unless said otherwise.
    public var maximumPixels: Int
    /// The most bytes that a decode may take: the bitmap, and the codec's own working memory as far as the header
    /// tells.
    ///
    /// 1 GiB unless said otherwise.
    public var maximumBytes: Int
    /// The most frames that an animation may have; 100 000 unless said otherwise, which is an hour at 25 frames a second.
    ///
    /// Each frame takes a few bytes of a file, and the walk over the header keeps some of every one, also for
    /// ``ImageCoder/info(_:limits:)``.
    public var maximumFrames: Int
    /// The longest that all frames of an animation together may be shown, as stored; a day unless said otherwise.
    public var maximumDuration: Duration

    /// Makes limits; the defaults suit a desktop.
    public init(
        maximumPixels: Int = 268_435_456,
        maximumBytes: Int = 1 << 30,
        maximumFrames: Int = 100_000,
        maximumDuration: Duration = .seconds(86_400)
    ) {
        self.maximumPixels = maximumPixels
        self.maximumBytes = maximumBytes
        self.maximumFrames = maximumFrames
        self.maximumDuration = maximumDuration
    }

    /// The limits that hold unless others are given.
    public static let standard = ImageLimits()

    /// Refuses a picture whose declared size is beyond ``maximumPixels``.
    public func check(width: Int, height: Int) throws(ImageCodingError) {
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        if overflow || pixels > maximumPixels {
            throw .tooLarge(width: width, height: height, limitPixels: maximumPixels)
        }
    }

    /// Refuses an animation that has more frames than ``maximumFrames``.
    public func check(frames: Int, of format: ImageFormat) throws(ImageCodingError) {
        if frames > maximumFrames {
            throw .tooManyFrames(format, limit: maximumFrames)
        }
    }

    /// Refuses an animation that plays longer than ``maximumDuration``.
    ///
    /// - Parameters:
    ///   - frameDurations: Milliseconds of each frame.
    ///   - format: The format of the file, for the error.
    public func check(frameDurations: [Double], of format: ImageFormat) throws(ImageCodingError) {
        let milliseconds = frameDurations.reduce(0, +)
        if milliseconds > maximumDuration / .milliseconds(1) {
            throw .tooLong(format, limit: maximumDuration)
        }
    }

    /// Refuses a decode that would take more than ``maximumBytes``.
    public func check(bytes: Int) throws(ImageCodingError) {
        if bytes > maximumBytes {
            throw .outOfMemory(bytes: bytes)
        }
    }
}
