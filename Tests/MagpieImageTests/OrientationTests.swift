import Foundation
import MagpieImage
import Testing

@Suite struct OrientationTests {
    private static let width = 40
    private static let height = 24

    /// Where the stored pixel (x, y) is seen, by the definition of EXIF tag 0x0112.
    private static func place(_ orientation: ImageOrientation, _ x: Int, _ y: Int) -> (x: Int, y: Int) {
        let (right, bottom) = (width - 1 - x, height - 1 - y)
        switch orientation {
        case .up: return (x, y)
        case .upMirrored: return (right, y)
        case .down: return (right, bottom)
        case .downMirrored: return (x, bottom)
        case .leftMirrored: return (y, x)
        case .right: return (bottom, x)
        case .rightMirrored: return (bottom, right)
        case .left: return (y, right)
        }
    }

    private static func check(_ file: Data, _ stored: Bitmap, _ orientation: ImageOrientation) throws {
        let image = try ImageCoders.shared.decode(file)
        #expect(image.info.orientation == orientation)
        #expect(image.info.storedSize == stored.size)
        #expect(image.bitmap.size == image.info.displayedSize)
        for y in 0..<height {
            for x in 0..<width {
                let seen = place(orientation, x, y)
                let match = image.bitmap.pixel(x: seen.x, y: seen.y) == stored.pixel(x: x, y: y)
                if !match { Issue.record("pixel \(x), \(y) is not at \(seen)") }
                guard match else { return }
            }
        }
    }

    @Test(arguments: ImageOrientation.allCases)
    func jpegIsTurnedUpright(_ orientation: ImageOrientation) throws {
        let file = try Pictures.file(Pictures.gradient(width: Self.width, height: Self.height), .jpeg)
        let stored = try ImageCoders.shared.decode(file).bitmap
        try Self.check(EXIFBytes.inserting(orientation.rawValue, intoJPEG: file), stored, orientation)
    }

    @Test(arguments: ImageOrientation.allCases)
    func pngIsTurnedUpright(_ orientation: ImageOrientation) throws {
        let stored = try Pictures.gradient(width: Self.width, height: Self.height)
        let chunk = PNGBytes.chunk("eXIf", EXIFBytes.orientation(orientation.rawValue))
        try Self.check(PNGBytes.inserting(chunk, into: Pictures.file(stored, .png)), stored, orientation)
    }

    @Test(arguments: ImageOrientation.allCases)
    func thumbnailsFitTheirBoxAsDisplayed(_ orientation: ImageOrientation) throws {
        let file = try Pictures.file(Pictures.gradient(width: 120, height: 80), .jpeg)
        let turned = EXIFBytes.inserting(orientation.rawValue, intoJPEG: file)
        let options = ImageDecodeOptions(thumbnailSize: PixelSize(width: 30, height: 1000))
        let image = try ImageCoders.shared.decode(turned, options: options)
        #expect(image.bitmap.size == PixelSize(width: 30, height: orientation.swapsSides ? 45 : 20))
        // The stored corner of no red and no green must be found where the orientation says.
        let whole = try ImageCoders.shared.decode(turned).bitmap
        for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let small = image.bitmap.pixel(x: x * 29, y: y * (image.bitmap.height - 1))
            let large = whole.pixel(x: x * (whole.width - 1), y: y * (whole.height - 1))
            #expect(abs(Int(small?.r ?? 0) - Int(large?.r ?? 99)) < 16)
            #expect(abs(Int(small?.g ?? 0) - Int(large?.g ?? 99)) < 16)
        }
    }

    @Test(arguments: [0, 9, 200])
    func impossibleValuesAreIgnored(_ value: Int) throws {
        let file = try Pictures.file(Pictures.gradient(width: 8, height: 4), .jpeg)
        #expect(try ImageCoders.shared.info(EXIFBytes.inserting(value, intoJPEG: file)).orientation == .up)
    }

    @Test func brokenBlocksAreIgnored() throws {
        let file = try Pictures.file(Pictures.gradient(width: 8, height: 4), .jpeg)
        let whole = Data("Exif\0\0".utf8) + EXIFBytes.orientation(6)
        for length in 0..<(whole.count - 6) {
            let cut = EXIFBytes.insert(whole.prefix(length), intoJPEG: file)
            #expect(try ImageCoders.shared.decode(cut).bitmap.size == PixelSize(width: 8, height: 4))
        }
        // A directory that lies at the end of the address space.
        let far = Data("Exif\0\0MM\0*".utf8) + Data([0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try ImageCoders.shared.info(EXIFBytes.insert(far, intoJPEG: file)).orientation == .up)
    }
}
