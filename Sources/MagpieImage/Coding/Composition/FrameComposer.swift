/// Lays the frames of an animation upon each other, as browsers do, so that any of them can be asked for.
///
/// Frames in order cost one decode each. For another one the composer begins at the nearest point from which it can: the
/// frame that is on the canvas, one that hides all before it, or one of a few copies of the canvas that it made on its way.
struct FrameComposer {
    /// What the canvas holds of an animation that is opened.
    private enum State {
        /// Nothing that can be gone on from.
        case unknown
        /// All frames up to this one, of which a share is missing.
        case shows(Int, missing: Double?)
    }

    private let source: any FrameParts
    private let canvas: Canvas
    private let keyframes: Keyframes
    private var state = State.unknown
    /// The canvas as it is before a frame is laid upon it.
    private var snapshots: [Int: Canvas] = [:]
    private let snapshotInterval: Int
    private let allowsPartial: Bool

    /// Memory for copies of the canvas.
    private static let snapshotBytes = 64 << 20
    private static let leastInterval = 8

    init(_ source: any FrameParts, options: ImageDecodeOptions) throws(ImageCodingError) {
        let info = source.info
        // The canvas, a frame on its way there, and the result.
        let (bytes, overflow) = info.pixelBytes.multipliedReportingOverflow(by: 3)
        try options.limits.check(bytes: overflow ? Int.max : bytes)
        self.source = source
        allowsPartial = options.allowsPartial
        canvas = try Canvas(info.storedSize)
        keyframes = Keyframes(source.parts, canvas: info.storedSize)
        let most = min(Self.snapshotBytes, options.limits.maximumBytes - bytes) / max(1, info.pixelBytes)
        snapshotInterval = max(Self.leastInterval, source.parts.count / (most + 1) + 1)
    }

    /// Composes a frame, and lets it be looked at.
    ///
    /// - Returns: The result of `body`, which also gets the share of the frame that is missing.
    mutating func compose<R>(
        _ index: Int,
        _ body: (Canvas, Double?) throws(ImageCodingError) -> R
    ) throws(ImageCodingError) -> R {
        for step in begin(for: index)..<(index + 1) { try advance(to: step) }
        guard case .shows(_, let missing) = state else { throw .noSuchFrame(index, of: source.parts.count) }
        return try body(canvas, missing)
    }

    /// Brings the canvas to a point from which the frame can be reached.
    ///
    /// - Returns: The first frame to be laid upon it; behind `index` where it is there already.
    private mutating func begin(for index: Int) -> Int {
        let keyframe = keyframes.last(upTo: index)
        let snapshot = snapshots.keys.filter { $0 <= index }.max() ?? 0
        if case .shows(let shown, _) = state, shown <= index, shown + 1 >= max(keyframe, snapshot) { return shown + 1 }
        state = .unknown
        if snapshot > keyframe, let copy = snapshots[snapshot] {
            canvas.copy(copy)
            return snapshot
        }
        canvas.clear()
        return keyframe
    }

    private mutating func advance(to index: Int) throws(ImageCodingError) {
        if case .shows(let shown, _) = state { dispose(source.parts[shown]) }
        state = .unknown
        if index.isMultiple(of: snapshotInterval), index > 0, snapshots[index] == nil, !keyframes.contains(index) {
            snapshots[index] = try Canvas(copying: canvas)
        }
        let part = source.parts[index]
        if part.disposal == .restore { try canvas.save(part.rect) }
        state = .shows(index, missing: try paint(index))
    }

    /// Where damaged files are allowed, a later frame that cannot be decoded leaves what is there.
    private func paint(_ index: Int) throws(ImageCodingError) -> Double? {
        do throws(ImageCodingError) {
            return try source.paint(index, on: canvas)
        } catch {
            guard allowsPartial, index > 0, error.isDamage else { throw error }
            return 1
        }
    }

    private func dispose(_ part: FramePart) {
        switch part.disposal {
        case .keep: break
        case .clear: canvas.clear(part.rect)
        case .restore: canvas.restore(part.rect)
        }
    }
}

extension ImageCodingError {
    /// Whether the file is at fault, rather than the machine or the caller.
    fileprivate var isDamage: Bool {
        switch self {
        case .truncated, .corrupt: true
        default: false
        }
    }
}
