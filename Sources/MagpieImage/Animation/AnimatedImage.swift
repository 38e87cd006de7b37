import Dispatch
import MagpieConcurrency

/// An animation whose frames are decoded ahead of being shown, and kept in a buffer of bounded size.
///
/// Decoding ahead runs on a thread of the animation's own, one frame at a time, and ends with the animation. Safe to use from
/// any thread.
public final class AnimatedImage: Sendable {
    /// Where the frames come from.
    public let frames: any ImageFrameSource

    private let buffer: Lock<FrameBuffer>
    private let worker = DispatchQueue(label: "magpie.animation", qos: .userInitiated)

    /// Keeps frames of a source.
    ///
    /// - Parameters:
    ///   - frames: The source.
    ///   - maximumBufferBytes: The most bytes of decoded frames to keep, but one frame in any case; nil for the smaller of
    ///     a fifth of the machine's memory and three fifths of what is free of it now.
    public init(_ frames: any ImageFrameSource, maximumBufferBytes: Int? = nil) {
        self.frames = frames
        buffer = Lock(
            FrameBuffer(
                maximumBytes: maximumBufferBytes ?? MemoryBudget.frames,
                frameCount: frames.frameCount,
                bytesPerFrame: frames.info.pixelBytes
            )
        )
    }

    /// The header.
    public var info: ImageInfo { frames.info }

    /// Number of frames.
    public var frameCount: Int { frames.frameCount }

    /// How many frames the buffer holds at most.
    public var bufferCapacity: Int { buffer.withLock { $0.capacity } }

    /// How many frames the buffer holds.
    public var bufferedFrameCount: Int { buffer.withLock { $0.count } }

    /// Asks for frames to be decoded, the most urgent first; returns at once.
    ///
    /// As many of them as the buffer holds; frames that are not among them may be dropped.
    public func prefetch(_ indices: [Int]) {
        guard buffer.withLock({ $0.want(indices) }) else { return }
        worker.async { [weak self] in
            while self?.decodeNext() == true {}
        }
    }

    /// A frame that is decoded already; nil for any other.
    public func bufferedFrame(at index: Int) -> Bitmap? {
        buffer.withLock { $0.frame(index) }
    }

    /// Whether decoding a frame has been tried and has failed.
    public func isUndecodable(_ index: Int) -> Bool {
        buffer.withLock { $0.isDone(index) && $0.frame(index) == nil }
    }

    /// Drops all decoded frames, such as where memory is short.
    public func clearBuffer() {
        buffer.withLock { $0.removeAll() }
    }

    private func decodeNext() -> Bool {
        guard let index = buffer.withLock({ $0.nextToDecode() }) else { return false }
        let bitmap: Bitmap?
        do throws(ImageCodingError) {
            bitmap = try frames.frame(at: index)
        } catch {
            bitmap = nil
        }
        buffer.withLock { $0.store(bitmap, at: index) }
        return true
    }
}
