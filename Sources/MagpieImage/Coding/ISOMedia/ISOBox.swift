/// A box of an ISO base media file (ISO/IEC 14496-12 §4.2): a name, and bytes that may be boxes in turn.
struct ISOBox {
    private static let header = 8

    let type: FourCC
    /// What is in the box, as far as the file goes.
    let content: ByteReader
    /// Whether the file ends before the box does.
    let isCutOff: Bool

    /// The boxes that follow one another from an offset on; what is no box ends the list.
    static func all(in reader: ByteReader, from start: Int = 0) -> [ISOBox] {
        var boxes: [ISOBox] = []
        var offset = start
        while let (box, end) = next(in: reader, at: offset) {
            boxes.append(box)
            offset = end
        }
        return boxes
    }

    private static func next(in reader: ByteReader, at offset: Int) -> (ISOBox, end: Int)? {
        guard var length = reader.bigEndian32(offset), let type = reader.fourCC(offset + 4) else { return nil }
        var header = Self.header
        let available = reader.count - offset
        if length == 1 {
            guard let long = reader.bigEndian64(offset + 8) else { return nil }
            length = long
            header = 16
        } else if length == 0 {
            length = available
        }
        guard length >= header, header <= available else { return nil }
        let present = min(length, available)
        guard let content = reader.window(offset + header, present - header) else { return nil }
        return (ISOBox(type: type, content: ByteReader(content), isCutOff: length > available), offset + present)
    }

    /// The boxes inside, behind a number of bytes that are none.
    func children(from offset: Int = 0) -> [ISOBox] {
        Self.all(in: content, from: offset)
    }

    /// The boxes inside a full box (§4.2.2), which has a version and flags first.
    var fullChildren: [ISOBox] { children(from: 4) }

    /// Of a full box.
    var version: UInt8 { content.byte(0) ?? 0 }

    /// Of a full box.
    var flags: Int { (content.bigEndian32(0) ?? 0) & 0xFF_FFFF }
}

extension [ISOBox] {
    /// The first box of a name.
    subscript(type: FourCC) -> ISOBox? { first { $0.type == type } }
}
