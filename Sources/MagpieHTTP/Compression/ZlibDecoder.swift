import CZlib

/// Undoes `gzip` and `deflate` (RFC 9110 §8.4.1) with zlib.
///
/// Several members of gzip one after another are one body (RFC 1952 §2.2). For `deflate`, the bare format is taken as
/// well as that of zlib, since servers have long sent either.
final class ZlibDecoder: DecodingStream {
    private let stream: UnsafeMutablePointer<z_stream>
    private let isGzip: Bool
    private var isStarted = false
    private(set) var isComplete = false

    /// How zlib spells the formats: the size of the window, and what is around the data.
    private enum WindowBits {
        static let zlib: CInt = 15
        static let gzip: CInt = 15 + 16
        static let bare: CInt = -15
    }

    init(isGzip: Bool) {
        self.isGzip = isGzip
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isStarted { inflateEnd(stream) }
        stream.deallocate()
    }

    func decode(_ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        if let first = input.first {
            guard isStarted || start(firstByte: first) else { return nil }
            if isComplete {
                guard isGzip, inflateReset(stream) == Z_OK else { return nil }
                isComplete = false
            }
        }
        guard isStarted, !isComplete else { return 0 }
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: Bytef.self)
        )
        stream.pointee.avail_in = UInt32(clamping: input.count)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = UInt32(clamping: output.count)
        let code = inflate(stream, Z_NO_FLUSH)
        input = UnsafeRawBufferPointer(rebasing: input.suffix(Int(stream.pointee.avail_in)))
        switch code {
        case Z_STREAM_END: isComplete = true
        case Z_OK, Z_BUF_ERROR: break
        default: return nil
        }
        return output.count - Int(stream.pointee.avail_out)
    }

    private func start(firstByte: UInt8) -> Bool {
        // The format of zlib begins with its method, 8 in the low half (RFC 1950 §2.2), which no bare block does.
        let bits = isGzip ? WindowBits.gzip : firstByte & 0x0F == 8 ? WindowBits.zlib : WindowBits.bare
        isStarted = inflateInit2_(stream, bits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK
        return isStarted
    }
}
