/// Decoded frames of an animation, as many as a bound allows, and which are wanted next.
struct FrameBuffer {
    /// The most bytes of all frames together; one frame is kept in any case.
    let maximumBytes: Int
    let frameCount: Int
    /// What a frame takes: guessed from the header, until one is there.
    private var bytesPerFrame: Int
    /// nil for a frame that cannot be decoded.
    private var frames: [Int: Bitmap?] = [:]
    private var wanted: [Int] = []
    /// Whether somebody decodes what is wanted.
    private(set) var isDecoding = false

    init(maximumBytes: Int, frameCount: Int, bytesPerFrame: Int) {
        self.maximumBytes = maximumBytes
        self.frameCount = frameCount
        self.bytesPerFrame = bytesPerFrame
    }

    /// How many frames are kept at most.
    var capacity: Int { min(frameCount, max(1, maximumBytes / max(1, bytesPerFrame))) }

    /// How many frames are there.
    var count: Int { frames.count }

    /// Whether decoding a frame has ended, well or not.
    func isDone(_ index: Int) -> Bool { frames[index] != nil }

    func frame(_ index: Int) -> Bitmap? { frames[index] ?? nil }

    /// Says which frames are wanted, the next one first.
    ///
    /// - Returns: Whether the caller is to begin to decode them.
    mutating func want(_ indices: [Int]) -> Bool {
        wanted = Array(indices.prefix(capacity))
        evict()
        guard !isDecoding, wanted.contains(where: { frames[$0] == nil }) else { return false }
        isDecoding = true
        return true
    }

    /// The next frame to decode; nil ends decoding.
    mutating func nextToDecode() -> Int? {
        let next = wanted.first { frames[$0] == nil }
        isDecoding = next != nil
        return next
    }

    mutating func store(_ bitmap: Bitmap?, at index: Int) {
        if let bitmap { bytesPerFrame = bitmap.byteCount }
        wanted = Array(wanted.prefix(capacity))
        guard wanted.contains(index) else { return }
        frames.updateValue(bitmap, forKey: index)
        evict()
    }

    mutating func removeAll() {
        frames.removeAll()
        wanted.removeAll()
    }

    /// Drops what is not wanted soon, where there are more than fit.
    private mutating func evict() {
        let toCome = wanted.count { frames[$0] == nil }
        guard frames.count + toCome > capacity else { return }
        let soon = Set(wanted)
        frames = frames.filter { soon.contains($0.key) }
    }
}
