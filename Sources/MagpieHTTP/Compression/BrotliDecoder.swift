import CBrotli

/// Undoes `br` (RFC 7932) with the Brotli library.
final class BrotliDecoder: DecodingStream {
    private let state: OpaquePointer
    private(set) var isComplete = false

    /// Makes a decoder, or nothing where memory is short.
    init?() {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
        self.state = state
    }

    deinit { BrotliDecoderDestroyInstance(state) }

    func decode(_ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        guard !isComplete else { return input.isEmpty ? 0 : nil }
        var inputCount = input.count
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var outputCount = output.count
        var place = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = BrotliDecoderDecompressStream(state, &inputCount, &next, &outputCount, &place, nil)
        input = UnsafeRawBufferPointer(rebasing: input.suffix(inputCount))
        guard result != BROTLI_DECODER_RESULT_ERROR else { return nil }
        isComplete = result == BROTLI_DECODER_RESULT_SUCCESS
        return output.count - outputCount
    }
}
