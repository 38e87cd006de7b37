/// Where an animation is: which frame, for how long yet, in which loop; a state machine without a clock.
struct Playhead {
    private(set) var cycle: PlaybackCycle
    private(set) var loopCount = 0
    private var step = 0
    private var elapsed = Duration.zero

    init(frameCount: Int, mode: PlaybackMode = .normal) {
        cycle = PlaybackCycle(mode: mode, frameCount: frameCount)
    }

    /// The frame that is shown.
    var frame: Int { cycle.frame(at: step) }

    /// What a move led to.
    enum Move {
        /// Another frame is to be shown; it begins a loop, or not.
        case frame(isNewLoop: Bool)
        /// The last loop is over; a mode that returns ends on the frame that it began with.
        case end
        /// The last of the frames that are known so far; more are to come.
        case hold
    }

    /// Lets time pass.
    ///
    /// Never skips a frame: what is left of the time counts for the next frame, and no more of it than that is shown.
    /// - Parameters:
    ///   - time: How much, at the speed of the animation.
    ///   - duration: How long a frame is shown.
    ///   - loops: How many loops are played; 0 for ever.
    ///   - isGrowing: Whether more frames are to come.
    /// - Returns: nil where the frame stays.
    mutating func advance(
        _ time: Duration,
        duration: (Int) -> Duration,
        loops: Int,
        isGrowing: Bool
    ) -> Move? {
        elapsed += time
        let shown = duration(frame)
        guard elapsed >= shown else { return nil }
        if isGrowing, frame == cycle.frameCount - 1 {
            elapsed = shown
            return .hold
        }
        let isNewLoop = step + 1 >= cycle.count
        if isNewLoop {
            loopCount += 1
            if loops > 0, loopCount >= loops {
                if cycle.returns { step = 0 }
                elapsed = .zero
                return .end
            }
        }
        step = isNewLoop ? 0 : step + 1
        elapsed = min(elapsed - shown, duration(frame))
        return .frame(isNewLoop: isNewLoop)
    }

    /// Goes to a frame, at its beginning.
    mutating func seek(_ frame: Int, loop: Int) {
        step = cycle.step(showing: frame)
        (loopCount, elapsed) = (loop, .zero)
    }

    /// Goes to the beginning.
    mutating func reset() {
        (step, loopCount, elapsed) = (0, 0, .zero)
    }

    /// Plays in another order, or more frames, from the frame that is shown.
    mutating func change(mode: PlaybackMode, frameCount: Int) {
        let shown = min(frame, frameCount - 1)
        cycle = PlaybackCycle(mode: mode, frameCount: frameCount)
        step = cycle.step(showing: shown)
    }

    /// The frames that follow the one that is shown, in the order in which they will be, each once.
    func upcoming(_ count: Int) -> [Int] {
        var frames: [Int] = []
        var seen: Set<Int> = []
        for offset in 1...cycle.count where frames.count < count {
            let frame = cycle.frame(at: (step + offset) % cycle.count)
            if seen.insert(frame).inserted { frames.append(frame) }
        }
        return frames
    }
}
