public import Foundation

/// What a picture says of itself beside its pixels: what viewers show.
public struct ImageMetadata: Sendable, Hashable {
    /// A place on the earth.
    public struct Position: Sendable, Hashable {
        /// Degrees, north being positive; -90…90.
        public var latitude: Double
        /// Degrees, east being positive; -180…180.
        public var longitude: Double
    }

    /// The EXIF block as stored: a TIFF structure.
    public let exif: Data?
    /// The XMP packet as stored: XML.
    public let xmp: Data?

    /// When the picture was taken, as written: `2024:05:17 12:30:00` in EXIF, ISO 8601 in XMP; without a time zone it is the
    /// time of the place.
    public private(set) var date: String?
    /// Who made the camera.
    public private(set) var cameraMake: String?
    /// The camera.
    public private(set) var cameraModel: String?
    /// The lens.
    public private(set) var lens: String?
    /// Seconds.
    public private(set) var exposureTime: Double?
    /// The f-number.
    public private(set) var aperture: Double?
    /// The ISO speed.
    public private(set) var sensitivity: Int?
    /// Millimetres, as built and not as of a 35 mm camera.
    public private(set) var focalLength: Double?
    /// Where the picture was taken; what to think of before it is published.
    public private(set) var position: Position?
    /// The title in the default language.
    public private(set) var title: String?
    /// 1 to 5 stars, 0 for none, -1 for rejected.
    public private(set) var rating: Int?

    /// Reads the blocks of a file; what breaks their rules counts as not being there.
    ///
    /// - Parameters:
    ///   - exif: The TIFF structure of EXIF.
    ///   - xmp: The XML of XMP; more than a mebibyte of it is not read.
    public init(exif: Data? = nil, xmp: Data? = nil) {
        self.exif = exif.map(EXIFBlock.withoutSignature)
        self.xmp = xmp
        if let xmp { read(XMPPacket(xmp)) }
        exif?.withUnsafeBytes { bytes in
            if let block = EXIFBlock(bytes) { read(block) }
        }
    }

    /// Whether there is nothing at all.
    public var isEmpty: Bool { exif == nil && xmp == nil }

    private mutating func read(_ packet: XMPPacket) {
        (date, title, rating) = (packet.date, packet.title, packet.rating)
    }

    private mutating func read(_ block: EXIFBlock) {
        date = block.text(0x9003, in: .camera) ?? block.text(0x0132) ?? date
        cameraMake = block.text(0x010F)
        cameraModel = block.text(0x0110)
        lens = block.text(0xA434, in: .camera)
        exposureTime = block.numbers(0x829A, in: .camera)?.first
        aperture = block.numbers(0x829D, in: .camera)?.first
        sensitivity = block.integer(0x8827, in: .camera)
        focalLength = block.numbers(0x920A, in: .camera)?.first
        position = Self.position(block)
    }

    private static func position(_ block: EXIFBlock) -> Position? {
        guard let latitude = angle(block, value: 2, negative: (1, "S")), abs(latitude) <= 90,
            let longitude = angle(block, value: 4, negative: (3, "W")), abs(longitude) <= 180
        else { return nil }
        return Position(latitude: latitude, longitude: longitude)
    }

    /// Degrees, minutes and seconds in one, with a sign by the letter of another tag.
    private static func angle(_ block: EXIFBlock, value tag: Int, negative: (tag: Int, letter: String)) -> Double? {
        guard let parts = block.numbers(tag, in: .position), parts.count == 3 else { return nil }
        let degrees = parts[0] + parts[1] / 60 + parts[2] / 3600
        return block.text(negative.tag, in: .position) == negative.letter ? -degrees : degrees
    }
}
