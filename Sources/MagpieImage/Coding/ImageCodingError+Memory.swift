extension ImageCodingError {
    /// The words, in lower case, by which libjpeg, libpng and zlib tell that there is no memory.
    ///
    /// libpng hands out nothing but words; libjpeg's are those of its `jerror.h`.
    private static let memoryWords = ["insufficient memory", "out of memory", "backing store", "memory limit"]

    /// ``outOfMemory(bytes:)`` where the message of a C library tells of it, which is no fault of the picture's; else nil.
    ///
    /// - Parameter bytes: About how much memory the picture takes.
    static func outOfMemory(toldBy message: String, bytes: Int) -> ImageCodingError? {
        let words = message.lowercased()
        return memoryWords.contains { words.contains($0) } ? .outOfMemory(bytes: bytes) : nil
    }
}
