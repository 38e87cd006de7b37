/// Plays an animation: says, tick for tick, which picture is to be shown.
///
/// It has no clock. Whoever shows the pictures calls ``tick(at:)`` before each screen refresh, with the time of any clock that
/// never goes back. Nothing here blocks: a frame that is not decoded yet is waited for, and the animation with it.
@MainActor
public final class AnimatedImagePlayer {
    /// What is played.
    public private(set) var image: AnimatedImage
    /// The order of the frames; a change goes on from the frame that is shown.
    public var mode: PlaybackMode {
        get { playhead.cycle.mode }
        set { playhead.change(mode: newValue, frameCount: image.frameCount) }
    }
    /// 1 plays as fast as the file says, 2 twice as fast; 0 or less holds the frame that is shown.
    public var rate = 1.0
    /// How many loops are played; 0 for ever. At first what the file says.
    public var totalLoopCount: Int
    /// Whether ``stop()``, and the end, drop the decoded frames.
    public var clearsBufferWhenStopped = false
    /// Whether more frames are to come: the last one is then held rather than followed by the first.
    public private(set) var isGrowing = false
    /// Whether time counts.
    public private(set) var isPlaying = false
    /// The picture that is shown; nil before the first.
    public private(set) var currentFrame: Bitmap?
    /// Called with each frame as it is shown.
    public var frameHandler: (@MainActor (_ index: Int, _ frame: Bitmap) -> Void)?
    /// Called with the number of loops that are over, as one is.
    public var loopHandler: (@MainActor (_ loopCount: Int) -> Void)?

    private var playhead: Playhead
    /// Whether the frame of the playhead is yet to be shown.
    private var isPending = true
    private var hasEnded = false
    private var lastTick: Duration?

    /// How many frames are decoded ahead of the one that is shown; a second or more of most animations.
    private static let framesAhead = 32

    /// Plays an animation; nil for a still picture.
    public init?(_ image: AnimatedImage) {
        guard image.frameCount > 1 else { return nil }
        self.image = image
        totalLoopCount = image.frames.loopCount
        playhead = Playhead(frameCount: image.frameCount)
    }

    /// The frame that is shown, or is as soon as it is decoded.
    public var currentFrameIndex: Int { playhead.frame }

    /// How many loops are over.
    public var currentLoopCount: Int { playhead.loopCount }

    /// Lets time count; after the end, begins again.
    public func start() {
        guard !isPlaying else { return }
        if hasEnded {
            playhead.reset()
            isPending = true
        }
        (isPlaying, hasEnded, lastTick) = (true, false, nil)
        prefetch()
    }

    /// Holds the frame that is shown.
    public func pause() {
        (isPlaying, lastTick) = (false, nil)
    }

    /// Ends playing and goes back to the beginning, which the next ``tick(at:)`` shows.
    public func stop() {
        pause()
        playhead.reset()
        (isPending, hasEnded) = (true, false)
        if clearsBufferWhenStopped { image.clearBuffer() }
    }

    /// Goes to a frame, playing or not; a tick shows it as soon as it is decoded.
    ///
    /// - Returns: false, and nothing happens, where there is no such frame.
    @discardableResult
    public func seek(to index: Int, loop: Int = 0) -> Bool {
        guard (0..<image.frameCount).contains(index), loop >= 0 else { return false }
        playhead.seek(index, loop: loop)
        (isPending, hasEnded, lastTick) = (true, false, nil)
        prefetch()
        return true
    }

    /// Goes on with an animation of which more has come: the same frames, and some behind them.
    ///
    /// - Parameter isGrowing: Whether yet more is to come.
    public func replace(with image: AnimatedImage, isGrowing: Bool) {
        guard image.frameCount >= self.image.frameCount else { return }
        self.image = image
        self.isGrowing = isGrowing
        totalLoopCount = image.frames.loopCount
        playhead.change(mode: mode, frameCount: image.frameCount)
        prefetch()
    }

    /// Lets the time pass that has since the last tick.
    ///
    /// - Parameter now: The time by a clock that never goes back, wherever it begins.
    /// - Returns: The picture to be shown from now on; nil where it stays.
    public func tick(at now: Duration) -> Bitmap? {
        defer { lastTick = now }
        if isPending { return showPending() }
        guard isPlaying, rate > 0, let lastTick, now > lastTick else { return nil }
        let move = playhead.advance(
            (now - lastTick) * rate,
            duration: image.frames.duration(at:),
            loops: totalLoopCount,
            isGrowing: isGrowing
        )
        switch move {
        case nil, .hold: return nil
        case .frame(let isNewLoop):
            isPending = true
            if isNewLoop { loopHandler?(playhead.loopCount) }
            return showPending()
        case .end:
            return end()
        }
    }

    private func end() -> Bitmap? {
        pause()
        hasEnded = true
        loopHandler?(playhead.loopCount)
        isPending = playhead.cycle.returns
        let last = isPending ? showPending() : nil
        if clearsBufferWhenStopped { image.clearBuffer() }
        return last
    }

    /// Shows the frame of the playhead if it is decoded; one that cannot be leaves what is shown.
    private func showPending() -> Bitmap? {
        let index = playhead.frame
        guard let frame = image.bufferedFrame(at: index) else {
            isPending = !image.isUndecodable(index)
            prefetch()
            return nil
        }
        isPending = false
        currentFrame = frame
        prefetch()
        frameHandler?(index, frame)
        return frame
    }

    private func prefetch() {
        let next = playhead.upcoming(min(image.bufferCapacity, Self.framesAhead))
        image.prefetch(isPending ? [playhead.frame] + next : next)
    }
}
