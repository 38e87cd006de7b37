import Foundation
import MagpieImage
import Testing

/// What files say of themselves beside their pixels.
@Suite struct MetadataTests {
    private static let packet = """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmp:Rating="4">
        <xmp:CreateDate>2023-01-02T03:04:05</xmp:CreateDate>
        <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Two birds</rdf:li><rdf:li xml:lang="de">Zwei</rdf:li></rdf:Alt></dc:title>
        </rdf:Description></rdf:RDF></x:xmpmeta>
        <?xpacket end="w"?>
        """

    @Test func blocksOfCamerasAreRead() throws {
        let metadata = ImageMetadata(exif: Data("Exif\0\0".utf8) + EXIFBytes.camera(), xmp: Data(Self.packet.utf8))
        #expect(metadata.cameraMake == "Magpie Works")
        #expect(metadata.cameraModel == "M-1")
        #expect(metadata.lens == "35mm F2.8")
        #expect(metadata.date == "2024:05:17 12:30:00")
        #expect(metadata.exposureTime == 0.004)
        #expect(metadata.aperture == 2.8)
        #expect(metadata.sensitivity == 400)
        #expect(metadata.focalLength == 35)
        #expect(metadata.position?.latitude == 52.5)
        #expect(metadata.position?.longitude == -13.26)
        #expect(metadata.title == "Two birds")
        #expect(metadata.rating == 4)
        #expect(ImageMetadata(xmp: Data(Self.packet.utf8)).date == "2023-01-02T03:04:05")
    }

    @Test func damagedBlocksSayNothing() {
        let whole = EXIFBytes.camera()
        for count in 0..<whole.count { _ = ImageMetadata(exif: whole.prefix(count)) }
        for index in whole.indices {
            for value in [UInt8(0), 0x7F, 0xFF] {
                var damaged = whole
                damaged[index] = value
                _ = ImageMetadata(exif: damaged)
            }
        }
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><x><title>&b;</title></x>"
        #expect(ImageMetadata(xmp: Data(bomb.utf8)).title == nil)
        let deep = String(repeating: "<a>", count: 100_000) + "<title>x</title>"
        #expect(ImageMetadata(xmp: Data(deep.utf8)).title == nil)
    }

    @Test(arguments: Pictures.formats)
    func metadataIsStoredOnlyWhenAskedAndUpright(_ format: ImageFormat) throws {
        let picture = try Pictures.gradient(width: 20, height: 10)
        #expect(try ImageCoders.shared.metadata(of: Pictures.file(picture, format)).isEmpty)
        let metadata = ImageMetadata(exif: EXIFBytes.camera(), xmp: Data(Self.packet.utf8))
        let options = ImageEncodeOptions(metadata: metadata)
        let data = try ImageCoders.shared.encode(picture, as: format, options: options)
        #expect(try ImageCoders.shared.info(data).orientation == .up)
        let image = try ImageCoders.shared.decode(data)
        #expect(image.bitmap.size == picture.size && !image.isPartial)
        let back = try ImageCoders.shared.metadata(of: data)
        #expect(back.cameraModel == "M-1")
        #expect(back.position == metadata.position)
        #expect(back.xmp == metadata.xmp)
        #expect(back.exif?.count == metadata.exif?.count)
    }

    @Test func blocksTooLongForASegmentAreLeftOut() throws {
        let long = ImageMetadata(exif: EXIFBytes.camera() + Data(count: 70000), xmp: Data(repeating: 32, count: 70000))
        let options = ImageEncodeOptions(metadata: long)
        let data = try ImageCoders.shared.encode(Pictures.gradient(width: 9, height: 9), as: .jpeg, options: options)
        #expect(try ImageCoders.shared.metadata(of: data).isEmpty)
        #expect(try ImageCoders.shared.decode(data).bitmap.width == 9)
    }
}
