/// Finds the orientation in an EXIF block.
///
/// A block that breaks the rules anywhere on the way counts as saying nothing.
enum EXIFReader {
    /// - Parameter block: The TIFF structure, with or without the `Exif` signature that JPEG puts before it.
    static func orientation(_ block: UnsafeRawBufferPointer) -> ImageOrientation? {
        EXIFBlock(block)?.orientation
    }
}
