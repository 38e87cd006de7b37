#if AVIF
import CAVIF

/// The bytes of a file as libavif wants to read them.
final class AVIFSource {
    /// How much more than its bytes a file that is cut off is believed to have had; libavif holds its lengths against it.
    private static let mostGrowth = 16

    private let file: FileBytes
    private let isIncremental: Bool
    private let io: UnsafeMutablePointer<avifIO>

    /// - Parameter isIncremental: Whether what lies behind the end is told to be yet to come, so that the tiles before it
    ///   are decoded.
    init(_ file: FileBytes, isIncremental: Bool) {
        self.file = file
        self.isIncremental = isIncremental
        io = .allocate(capacity: 1)
        io.initialize(to: avifIO())
        io.pointee.read = { io, _, offset, size, result in
            guard let data = io?.pointee.data, let result else { return AVIF_RESULT_IO_ERROR }
            return Unmanaged<AVIFSource>.fromOpaque(data).takeUnretainedValue().read(offset, size, &result.pointee)
        }
        io.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        io.pointee.sizeHint = UInt64(file.bytes.count) * UInt64(isIncremental ? Self.mostGrowth : 1)
        io.pointee.persistent = 1
    }

    deinit { io.deallocate() }

    /// Makes a decoder read from here; it must not outlive the source.
    func install(in decoder: UnsafeMutablePointer<avifDecoder>) {
        avifDecoderSetIO(decoder, io)
    }

    private func read(_ offset: UInt64, _ size: Int, _ result: inout avifROData) -> avifResult {
        let bytes = file.bytes
        guard let first = bytes.baseAddress, let start = Int(exactly: offset), start <= bytes.count else {
            return isIncremental ? AVIF_RESULT_WAITING_ON_IO : AVIF_RESULT_IO_ERROR
        }
        let present = min(size, bytes.count - start)
        if isIncremental, present < size { return AVIF_RESULT_WAITING_ON_IO }
        result.data = first.assumingMemoryBound(to: UInt8.self) + start
        result.size = present
        return AVIF_RESULT_OK
    }
}
#endif
