#if GIF
import CGIF
import Foundation

/// A file in memory, as giflib wants to read it: the header, and then at once a frame that lies anywhere in it.
struct GIFSource {
    private let bytes: UnsafeRawBufferPointer
    private let header: Int
    private let frame: Int
    private var offset = 0
    private(set) var endedEarly = false

    /// - Parameters:
    ///   - header: The bytes before the first block.
    ///   - frame: Where the image descriptor of the frame stands.
    init(_ bytes: UnsafeRawBufferPointer, header: Int, frame: Int) {
        self.bytes = bytes
        self.header = header
        self.frame = frame
    }

    /// Gives at most `count` bytes; fewer make giflib fail.
    static let read: InputFunc = { file, target, count in
        guard let source = file?.pointee.UserData?.assumingMemoryBound(to: GIFSource.self), let target else { return 0 }
        return source.pointee.copy(to: target, count: Int(count))
    }

    private mutating func copy(to target: UnsafeMutablePointer<GifByteType>, count: Int) -> Int32 {
        // giflib asks for the parts of the header one by one, so that a read ends where it ends.
        if offset == header { offset = frame }
        let length = max(0, min(count, bytes.count - offset))
        endedEarly = endedEarly || length < count
        bytes[offset..<(offset + length)].copyBytes(to: UnsafeMutableRawBufferPointer(start: target, count: length))
        offset += length
        return Int32(length)
    }
}
#endif
