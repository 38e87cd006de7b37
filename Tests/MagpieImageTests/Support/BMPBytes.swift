import Foundation

/// Writes BMP files and icons by hand.
enum BMPBytes {
    /// A file with a 40-byte header, its rows as they are stored, each a multiple of 4 bytes.
    static func file(
        bits: Int,
        compression: Int = 0,
        palette: [[UInt8]] = [],
        rows: [[UInt8]],
        width: Int,
        height: Int? = nil,
        masks: [Int] = []
    ) -> Data {
        let body = bitmap(
            bits: bits,
            compression: compression,
            palette: palette,
            rows: rows,
            width: width,
            height: height ?? rows.count,
            masks: masks
        )
        let offset = 14 + 40 + masks.count * 4 + palette.count * 4
        return Data("BM".utf8) + number(14 + body.count) + number(0) + number(offset) + body
    }

    /// The same with no file header, as an icon holds it.
    static func bitmap(
        bits: Int,
        compression: Int = 0,
        palette: [[UInt8]] = [],
        rows: [[UInt8]],
        width: Int,
        height: Int,
        masks: [Int] = []
    ) -> Data {
        var data = number(40) + number(width) + number(height) + number(1 | bits << 16) + number(compression)
        data += number(0) + number(0) + number(0) + number(palette.count) + number(0)
        for mask in masks { data += number(mask) }
        for color in palette { data += Data(color + [0]) }
        for row in rows { data += Data(row) }
        return data
    }

    /// An icon of these pictures; what its list says of their sizes is wrong.
    static func icon(_ pictures: [Data]) -> Data {
        var list = Data([0, 0, 1, 0, UInt8(pictures.count), 0])
        var content = Data()
        for picture in pictures {
            list += Data([0, 0, 0, 0, 1, 0, 1, 0]) + number(picture.count)
            list += number(6 + 16 * pictures.count + content.count)
            content += picture
        }
        return list + content
    }

    private static func number(_ value: Int) -> Data {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { Data($0) }
    }
}
