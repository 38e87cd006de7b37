import Foundation

/// What the boxes beside a coded picture say of it: size, turning, clean aperture, depth, colours.
///
/// They are the properties of a HEIF item, or the boxes in the sample entry of a track.
struct VisualProperties {
    /// As stored, before cropping and turning.
    var size: PixelSize?
    /// The part of the stored picture that is to be seen; nil for all of it.
    var crop: PixelRect?
    var orientation = ImageOrientation.up
    var bitsPerChannel = 8
    var isMonochrome = false
    var profile: Data?
    var cicp: CICP?

    /// - Parameters:
    ///   - boxes: In the order in which they apply.
    ///   - size: Where no box says it.
    init(_ boxes: [ISOBox], size: PixelSize? = nil) {
        self.size = size
        var clap: ISOBox?
        var rotation = 0
        var mirror: UInt8?
        for box in boxes {
            switch box.type {
            case "ispe": readSize(box)
            case "clap": clap = clap ?? box
            case "irot": rotation = Int(box.content.byte(0) ?? 0) & 3
            case "imir": mirror = (box.content.byte(0) ?? 0) & 1
            case "av1C": readAV1(box)
            case "hvcC": readHEVC(box)
            case "colr": readColors(box)
            default: break
            }
        }
        orientation = ImageOrientation(quarterTurns: rotation, mirror: mirror)
        guard let clap, let size = self.size else { return }
        crop = Self.cleanAperture(clap.content, of: size)
    }

    private mutating func readSize(_ box: ISOBox) {
        guard let width = box.content.bigEndian32(4), let height = box.content.bigEndian32(8) else { return }
        size = PixelSize(width: width, height: height)
    }

    /// The AV1 codec configuration record (AV1-ISOBMFF §2.3.3).
    private mutating func readAV1(_ box: ISOBox) {
        guard let flags = box.content.byte(2) else { return }
        bitsPerChannel = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
        isMonochrome = flags & 0x10 != 0
    }

    /// The HEVC decoder configuration record (ISO/IEC 14496-15 §8.3.3).
    private mutating func readHEVC(_ box: ISOBox) {
        guard let chroma = box.content.byte(16), let depth = box.content.byte(17) else { return }
        bitsPerChannel = 8 + Int(depth & 7)
        isMonochrome = chroma & 3 == 0
    }

    /// `colr` (ISO/IEC 14496-12 §12.1.5); a file may have one of code points and one with a profile.
    private mutating func readColors(_ box: ISOBox) {
        let reader = box.content
        if reader.has("nclx") {
            cicp = CICP(reader, at: 4)
        } else if reader.has("prof") || reader.has("rICC"), let bytes = reader.window(4, reader.count - 4) {
            profile = Data(bytes)
        }
    }

    /// `clap` (ISO/IEC 14496-12 §12.1.4): a size and how far its centre is from that of the picture, as fractions.
    private static func cleanAperture(_ reader: ByteReader, of size: PixelSize) -> PixelRect? {
        func fraction(_ offset: Int, isSigned: Bool = false) -> Double? {
            guard let over = reader.bigEndian32(offset), let under = reader.bigEndian32(offset + 4), under > 0 else {
                return nil
            }
            return Double(isSigned ? Int(Int32(truncatingIfNeeded: over)) : over) / Double(under)
        }
        guard let width = fraction(0), let height = fraction(8), let x = fraction(16, isSigned: true),
            let y = fraction(24, isSigned: true)
        else { return nil }
        let rect = PixelRect(
            x: Int((x + (Double(size.width) - width) / 2).rounded()),
            y: Int((y + (Double(size.height) - height) / 2).rounded()),
            width: Int(width.rounded()),
            height: Int(height.rounded())
        )
        // One that leaves the picture is not valid, and says nothing; neither does one that is all of it.
        let isAll = rect.width == size.width && rect.height == size.height
        return !isAll && rect.clipped(to: size) == rect ? rect : nil
    }
}

extension ImageOrientation {
    /// - Parameters:
    ///   - quarterTurns: Anticlockwise, as `irot` has them (ISO/IEC 23008-12 §6.5.10).
    ///   - mirror: `imir` (§6.5.12), done after turning: 0 exchanges top and bottom, 1 left and right.
    init(quarterTurns: Int, mirror: UInt8?) {
        switch (quarterTurns & 3, mirror) {
        case (0, nil): self = .up
        case (0, 0): self = .downMirrored
        case (0, _): self = .upMirrored
        case (1, nil): self = .left
        case (1, 0): self = .leftMirrored
        case (1, _): self = .rightMirrored
        case (2, nil): self = .down
        case (2, 0): self = .upMirrored
        case (2, _): self = .downMirrored
        case (_, nil): self = .right
        case (_, 0): self = .rightMirrored
        case (_, _): self = .leftMirrored
        }
    }
}
