import Foundation

/// A JPEG whose bytes come in pieces: the header, which says what is to be decoded and how, then the decode.
struct JPEGStream: PictureStream {
    let options: ImageDecodeOptions
    private(set) var info: ImageInfo?
    private var header = JPEGHeader()
    private var decoding: JPEGDecoding?

    init(options: ImageDecodeOptions) {
        self.options = options
    }

    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(ImageCodingError) -> Int {
        guard let decoding = try begin(bytes), !header.isArithmetic else { return 0 }
        return try decoding.read(bytes, isLast: false)
    }

    func preview() throws(ImageCodingError) -> DecodedImage? {
        try decoding?.preview()
    }

    mutating func finish(_ bytes: UnsafeRawBufferPointer) throws(ImageCodingError) -> DecodedImage {
        guard let decoding = try begin(bytes) else {
            throw .truncated(.jpeg, decodedRows: 0, ofRows: header.height)
        }
        _ = try decoding.read(bytes, isLast: true)
        return try decoding.finish()
    }

    /// The decode, which begins when the header is there.
    private mutating func begin(_ bytes: UnsafeRawBufferPointer) throws(ImageCodingError) -> JPEGDecoding? {
        if let decoding { return decoding }
        guard try header.read(ByteReader(bytes)) else { return nil }
        let info = try header.info(limits: options.limits)
        self.info = info
        decoding = try JPEGDecoding(header: header, info: info, options: options)
        return decoding
    }
}
