/// One content coding being undone.
///
/// Confined to one thread at a time.
protocol DecodingStream: AnyObject {
    /// Whether what was decoded so far is a whole: the input may end here.
    var isComplete: Bool { get }

    /// Decodes from the start of `input`, which is shortened by what was used, and may be empty for a decoder that had
    /// more than fitted into the output.
    ///
    /// - Returns: The number of bytes written, or `nil` where the input is damaged.
    func decode(_ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int?
}
