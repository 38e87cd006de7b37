import Foundation

extension Data {
    /// Lets the bytes be read in place, with a typed error.
    ///
    /// Empty data is an error of its own.
    func withReader<R>(_ body: (ByteReader) throws(ImageCodingError) -> R) throws(ImageCodingError) -> R {
        try withBytes { (bytes) throws(ImageCodingError) in
            guard !bytes.isEmpty else { throw .empty }
            return try body(ByteReader(bytes))
        }
    }

    /// As `withUnsafeBytes`, with a typed error.
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws(ImageCodingError) -> R) throws(ImageCodingError) -> R {
        let result = withUnsafeBytes { bytes in
            Result { () throws(ImageCodingError) -> R in try body(bytes) }
        }
        return try result.get()
    }
}
