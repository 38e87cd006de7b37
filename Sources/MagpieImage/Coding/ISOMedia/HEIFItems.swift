/// The items of a HEIF file (ISO/IEC 23008-12): which picture is the primary one, and what is said about each.
struct HEIFItems {
    private static let alphaNames: [StaticString] = [
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:avc:2015:auxid:1",
    ]

    let primary: Int
    private var types: [Int: FourCC] = [:]
    private var references: [(type: FourCC, from: Int, to: [Int])] = []
    private var properties: [ISOBox] = []
    private var associations: [Int: [Int]] = [:]

    /// Reads a `meta` box; nil where it names no primary picture.
    init?(_ meta: ISOBox) {
        let boxes = meta.fullChildren
        guard let pitm = boxes["pitm"], let primary = Self.number(pitm.content, at: 4, isWide: pitm.version > 0) else {
            return nil
        }
        self.primary = primary
        if let iinf = boxes["iinf"] { readTypes(iinf) }
        if let iref = boxes["iref"] { readReferences(iref) }
        guard let iprp = boxes["iprp"]?.children(), let ipco = iprp["ipco"] else { return }
        properties = ipco.children()
        for ipma in iprp where ipma.type == "ipma" { readAssociations(ipma) }
    }

    /// The properties of an item, in the order in which they apply.
    func properties(of item: Int) -> [ISOBox] {
        associations[item, default: []].compactMap { properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil }
    }

    func type(of item: Int) -> FourCC? { types[item] }

    /// The items that a derived one, such as a grid, is made of.
    func sources(of item: Int) -> [Int] {
        references.first { $0.type == "dimg" && $0.from == item }?.to ?? []
    }

    /// Whether another item is the alpha channel of this one.
    func hasAlpha(_ item: Int) -> Bool {
        references.contains { $0.type == "auxl" && $0.to.contains(item) && isAlpha($0.from) }
    }

    private func isAlpha(_ item: Int) -> Bool {
        properties(of: item).contains { box in
            box.type == "auxC" && Self.alphaNames.contains { box.content.has($0, at: 4) }
        }
    }

    private mutating func readTypes(_ iinf: ISOBox) {
        for entry in iinf.children(from: iinf.version == 0 ? 6 : 8) where entry.type == "infe" && entry.version >= 2 {
            let isWide = entry.version >= 3
            guard let item = Self.number(entry.content, at: 4, isWide: isWide) else { continue }
            types[item] = entry.content.fourCC(isWide ? 10 : 8)
        }
    }

    private mutating func readReferences(_ iref: ISOBox) {
        let isWide = iref.version > 0
        let size = isWide ? 4 : 2
        for box in iref.fullChildren {
            guard let from = Self.number(box.content, at: 0, isWide: isWide),
                let count = box.content.bigEndian16(size)
            else { continue }
            let present = min(count, box.content.count / size)
            let to = (0..<present).compactMap { Self.number(box.content, at: size + 2 + $0 * size, isWide: isWide) }
            references.append((box.type, from, to))
        }
    }

    /// `ipma` (ISO/IEC 23008-12 §9.3): for each item the numbers of its properties, which count from 1.
    private mutating func readAssociations(_ ipma: ISOBox) {
        let (reader, isWide, isLong) = (ipma.content, ipma.version > 0, ipma.flags & 1 != 0)
        var offset = 8
        for _ in 0..<(reader.bigEndian32(4) ?? 0) {
            guard let item = Self.number(reader, at: offset, isWide: isWide),
                let count = reader.byte(offset + (isWide ? 4 : 2))
            else { return }
            offset += isWide ? 5 : 3
            var indices: [Int] = []
            for _ in 0..<count {
                guard
                    let index = isLong
                        ? reader.bigEndian16(offset).map({ $0 & 0x7FFF }) : reader.byte(offset).map({ Int($0 & 0x7F) })
                else { return }
                indices.append(index)
                offset += isLong ? 2 : 1
            }
            associations[item, default: []] += indices
        }
    }

    private static func number(_ reader: ByteReader, at offset: Int, isWide: Bool) -> Int? {
        isWide ? reader.bigEndian32(offset) : reader.bigEndian16(offset)
    }
}
