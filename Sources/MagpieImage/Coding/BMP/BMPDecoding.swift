import Foundation

/// One decode of a BMP.
struct BMPDecoding {
    let reader: ByteReader
    let header: BMPHeader
    let info: ImageInfo
    let options: ImageDecodeOptions

    func run() throws(ImageCodingError) -> DecodedImage {
        let rows = try BMPRows(reader, header: header, limits: options.limits)
        let missing = header.height - rows.wholeRows
        if missing > 0, !options.allowsPartial || rows.wholeRows == 0 {
            if let fault = rows.fault { throw .corrupt(.bmp, fault) }
            throw .truncated(.bmp, decodedRows: rows.wholeRows, ofRows: header.height)
        }
        let target = options.storedTarget(for: info.storedSize, orientation: .up)
        let colorSpace = header.profile.map { ICCProfile.colorSpace(ofRGB: $0) } ?? .sRGB
        var sink = try RowSink(
            source: info.storedSize,
            target: target,
            info: info,
            options: options,
            colorSpace: colorSpace
        )
        for row in 0..<header.height {
            sink.append { rows.read(row, into: $0) }
        }
        return DecodedImage(
            bitmap: sink.finish(),
            info: info,
            missingFraction: missing > 0 ? Double(missing) / Double(header.height) : nil
        )
    }
}
