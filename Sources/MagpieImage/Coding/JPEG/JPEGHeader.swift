import Foundation

/// What the marker segments of a JPEG before its first scan say (ITU-T T.81 Annex B).
struct JPEGHeader {
    /// How the frame is coded, from the SOF marker.
    enum Process {
        case baseline, progressive
        /// Lossless, hierarchical and the like: legal, but read by no decoder here.
        case other
    }

    private(set) var width = 0
    private(set) var height = 0
    private(set) var bitsPerChannel = 8
    private(set) var process = Process.baseline
    /// Whether it is coded arithmetically, which libjpeg can decode only with all bytes at hand.
    private(set) var isArithmetic = false
    private var storedOrientation: ImageOrientation?
    /// The first EXIF block, without its signature.
    private(set) var exif: Data?
    /// The XMP packet; one that is too long for a segment goes on elsewhere, with nothing that is shown.
    private(set) var xmp: Data?
    /// Sampling factors of each component.
    private(set) var sampling: [(horizontal: Int, vertical: Int)] = []
    private var componentIDs: [UInt8] = []
    /// The transform byte of the Adobe APP14 segment: 0 none, 1 YCbCr, 2 YCCK.
    private var adobeTransform: UInt8?
    private var hasJFIF = false
    private var profileParts: [Int: Data] = [:]
    private var profilePartCount = 0

    /// Where the next marker is looked for.
    private var offset = 2

    /// Begins with nothing known.
    init() {}

    /// Reads up to the first scan.
    init(_ reader: ByteReader) throws(ImageCodingError) {
        guard try read(reader) else { throw .truncated(.jpeg, decodedRows: 0, ofRows: height) }
    }

    /// Reads on from where it stopped.
    ///
    /// - Parameter reader: The file from its beginning, as far as it has come.
    /// - Returns: Whether the first scan was reached; until then more bytes are needed.
    mutating func read(_ reader: ByteReader) throws(ImageCodingError) -> Bool {
        while let (marker, content) = Self.nextMarker(reader, from: offset) {
            // Markers without a length: TEM and the restarts. A second SOI or an EOI before any picture is an error.
            if marker == 0x01 || (0xD0...0xD7).contains(marker) {
                offset = content
                continue
            }
            if marker == 0xD8 || marker == 0xD9 { throw .corrupt(.jpeg, "there is no picture in it") }
            guard let length = reader.bigEndian16(content) else { return false }
            guard length >= 2 else { throw .corrupt(.jpeg, "a segment has an impossible length") }
            if marker == 0xDA {
                guard width > 0 else { throw .corrupt(.jpeg, "the frame header is missing") }
                return true
            }
            guard let segment = reader.window(content + 2, length - 2) else { return false }
            try read(segment: ByteReader(segment), marker: marker)
            offset = content + length
        }
        // No marker begins before the last byte.
        offset = max(offset, reader.count - 1)
        return false
    }

    /// From the first EXIF segment that has a valid one.
    var orientation: ImageOrientation { storedOrientation ?? .up }

    /// How colours are stored, by the rules that libjpeg goes by (JFIF, Adobe, component names).
    var colorSpace: String {
        switch componentIDs.count {
        case 1: return "gray"
        case 3:
            if hasJFIF { return "ycbcr" }
            if let adobeTransform { return adobeTransform == 0 ? "rgb" : "ycbcr" }
            return componentIDs == [UInt8(ascii: "R"), UInt8(ascii: "G"), UInt8(ascii: "B")] ? "rgb" : "ycbcr"
        case 4: return adobeTransform == 2 ? "ycck" : "cmyk"
        default: return "unknown"
        }
    }

    /// Whether a CMYK file stores inverted ink, as every file of Adobe does.
    var isInkInverted: Bool { adobeTransform != nil }

    /// The ICC profile, joined from its APP2 segments; nil where there is none or a part is missing (ICC.1 Annex B.4).
    var profile: Data? {
        guard profilePartCount > 0, profileParts.count == profilePartCount else { return nil }
        var joined = Data()
        for part in 1...profilePartCount {
            guard let bytes = profileParts[part] else { return nil }
            joined.append(bytes)
        }
        return joined
    }

    /// Bytes of coefficients that a decoder of a progressive file must hold.
    var coefficientBytes: Int {
        process == .progressive ? allCoefficientBytes : 0
    }

    /// Bytes of the whole picture's coefficients.
    var allCoefficientBytes: Int {
        let (widest, tallest) = maximumSampling
        return sampling.reduce(0) { sum, factors in
            let columns = (width * factors.horizontal + widest * 8 - 1) / (widest * 8) + factors.horizontal
            let rows = (height * factors.vertical + tallest * 8 - 1) / (tallest * 8) + factors.vertical
            return sum + columns * rows * 128
        }
    }

    /// The largest sampling factors of all components.
    var maximumSampling: (horizontal: Int, vertical: Int) {
        sampling.reduce((1, 1)) { (max($0.0, $1.horizontal), max($0.1, $1.vertical)) }
    }

    /// The next marker, over fill bytes and stray ones, and the offset behind it.
    private static func nextMarker(_ reader: ByteReader, from start: Int) -> (code: UInt8, end: Int)? {
        var offset = start
        while let byte = reader.byte(offset) {
            offset += 1
            guard byte == 0xFF else { continue }
            while let code = reader.byte(offset) {
                offset += 1
                if code == 0xFF { continue }
                if code == 0 { break }
                return (code, offset)
            }
        }
        return nil
    }

    private mutating func read(segment: ByteReader, marker: UInt8) throws(ImageCodingError) {
        switch marker {
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            try readFrame(segment, marker: marker)
        case 0xE0:
            hasJFIF = hasJFIF || segment.has([0x4A, 0x46, 0x49, 0x46, 0])
        case 0xE1:
            if segment.has([0x45, 0x78, 0x69, 0x66, 0]), storedOrientation == nil {
                storedOrientation = EXIFReader.orientation(segment.bytes)
            }
            readMetadata(segment)
        case 0xE2:
            readProfilePart(segment)
        case 0xEE:
            if segment.has("Adobe"), let transform = segment.byte(11) { adobeTransform = transform }
        default:
            break
        }
    }

    private mutating func readMetadata(_ segment: ByteReader) {
        let name: StaticString = "http://ns.adobe.com/xap/1.0/"
        let nameBytes = name.utf8CodeUnitCount + 1
        if exif == nil, segment.has([0x45, 0x78, 0x69, 0x66, 0, 0]) {
            exif = segment.window(6, segment.count - 6).map { Data($0) }
        } else if xmp == nil, segment.has(name) {
            xmp = segment.window(nameBytes, segment.count - nameBytes).map { Data($0) }
        }
    }

    private mutating func readFrame(_ segment: ByteReader, marker: UInt8) throws(ImageCodingError) {
        guard width == 0 else { throw .corrupt(.jpeg, "there are two frame headers") }
        guard let precision = segment.byte(0), let lines = segment.bigEndian16(1), let columns = segment.bigEndian16(3),
            let components = segment.byte(5), segment.count >= 6 + 3 * Int(components)
        else { throw .corrupt(.jpeg, "the frame header is too short") }
        guard columns > 0, lines > 0, components > 0 else { throw .corrupt(.jpeg, "the frame has no size") }
        (width, height, bitsPerChannel) = (columns, lines, Int(precision))
        for component in 0..<Int(components) {
            guard let id = segment.byte(6 + 3 * component), let factors = segment.byte(7 + 3 * component) else { break }
            componentIDs.append(id)
            sampling.append((max(1, Int(factors >> 4)), max(1, Int(factors & 15))))
        }
        isArithmetic = marker >= 0xC9
        switch marker {
        case 0xC0, 0xC1, 0xC9: process = .baseline
        case 0xC2, 0xCA: process = .progressive
        default: process = .other
        }
    }

    private mutating func readProfilePart(_ segment: ByteReader) {
        guard segment.has([0x49, 0x43, 0x43, 0x5F, 0x50, 0x52, 0x4F, 0x46, 0x49, 0x4C, 0x45, 0]),
            let number = segment.byte(12), let count = segment.byte(13), number > 0, number <= count,
            let part = segment.window(14, segment.count - 14)
        else { return }
        profilePartCount = Int(count)
        profileParts[Int(number)] = Data(part)
    }
}
