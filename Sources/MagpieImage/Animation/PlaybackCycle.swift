/// One loop of an animation, as a row of steps, each of which shows a frame.
struct PlaybackCycle {
    let mode: PlaybackMode
    let frameCount: Int

    /// Steps in a loop.
    var count: Int {
        switch mode {
        case .normal, .reverse: max(1, frameCount)
        // The frames at both ends are shown once a loop: the loop after this one begins where it began.
        case .bounce, .reversedBounce: max(1, 2 * frameCount - 2)
        }
    }

    /// Whether a loop ends where it begins, so that the last one is followed by its first frame.
    var returns: Bool { mode == .bounce || mode == .reversedBounce }

    /// The frame that a step shows.
    func frame(at step: Int) -> Int {
        let last = max(0, frameCount - 1)
        let forth = step <= last ? step : 2 * last - step
        return mode == .normal || mode == .bounce ? forth : last - forth
    }

    /// The first step that shows a frame.
    func step(showing frame: Int) -> Int {
        mode == .normal || mode == .bounce ? frame : max(0, frameCount - 1 - frame)
    }
}
