import Foundation
import MagpieImage
import Testing

@Suite struct ImageFormatTests {
    @Test func knowsNamesTypesAndExtensions() {
        #expect(ImageFormat(fileExtension: ".JPG") == .jpeg)
        #expect(ImageFormat.jpeg.fileExtension == "jpg")
        #expect(ImageFormat.webp.mimeType == "image/webp")
        #expect(ImageFormat(fileExtension: "txt") == nil)
        #expect(ImageFormat(rawValue: "qoi").fileExtension == "qoi")
        #expect(ImageFormat.jxl.description == "JPEG XL")
    }
}
