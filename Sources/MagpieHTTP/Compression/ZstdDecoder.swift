import CZstd

/// Undoes `zstd` (RFC 8878) with the Zstandard library.
final class ZstdDecoder: DecodingStream {
    private let context: OpaquePointer
    private(set) var isComplete = false

    /// The largest window that a server may use: 8 MB, as the exponent of two (RFC 9659 §3).
    private static let maximumWindow: CInt = 23

    /// Makes a decoder, or nothing where memory is short.
    init?() {
        guard let context = ZSTD_createDCtx() else { return nil }
        self.context = context
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.maximumWindow)
    }

    deinit { ZSTD_freeDCtx(context) }

    func decode(_ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        // Between two frames there is nothing to flush, and asking would count as the begin of the next.
        guard !(isComplete && input.isEmpty) else { return 0 }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let left = ZSTD_decompressStream(context, &target, &source)
        guard ZSTD_isError(left) == 0 else { return nil }
        input = UnsafeRawBufferPointer(rebasing: input.suffix(source.size - source.pos))
        isComplete = left == 0
        return target.pos
    }
}
