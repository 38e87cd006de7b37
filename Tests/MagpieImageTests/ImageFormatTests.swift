import Foundation
import MagpieImage
import Testing

@Suite struct ImageFormatTests {
    @Test func knowsNamesTypesAndExtensions() {
        #expect(ImageFormat(fileExtension: ".JPG") == .jpeg)
        #expect(ImageFormat(fileExtension: "tif") == .tiff)
        #expect(ImageFormat.jpeg.fileExtension == "jpg")
        #expect(ImageFormat.webp.mimeType == "image/webp")
        #expect(ImageFormat(fileExtension: "txt") == nil)
        #expect(ImageFormat(rawValue: "qoi").fileExtension == "qoi")
        #expect(ImageFormat(rawValue: "qoi").mimeType == "application/octet-stream")
        #expect(ImageFormat.jxl.description == "JPEG XL")
    }

    @Test func isFoundByContent() throws {
        for (name, data) in try Pictures.files() {
            let found = try #require(ImageFormat.detect(data))
            #expect(name.hasPrefix(found.rawValue))
        }
        #expect(ImageFormat.detect(Data("\0\0\0\u{1C}ftypmif1\0\0\0\0mif1avifmiaf".utf8)) == .avif)
        #expect(ImageFormat.detect(Data("\0\0\0\u{18}ftypheic\0\0\0\0mif1heic".utf8)) == .heic)
        #expect(ImageFormat.detect(Data("\0\0\0\u{18}ftypisom\0\0\0\0isommp42".utf8)) == nil)
        #expect(ImageFormat.detect(Data("II*\0\u{8}\0\0\0".utf8)) == .tiff)
        #expect(ImageFormat.detect(Data("BMW is a car maker and no bitmap".utf8)) == nil)
    }

    @Test(arguments: [
        "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "\u{FEFF}  <?xml version=\"1.0\"?>\n<!-- a <html> comment -->\n<svg:svg/>",
        "<!DOCTYPE svg PUBLIC '-//W3C//DTD' 'x' [ <!ENTITY a '>'> ]><svg viewBox='0 0 1 1'>",
    ])
    func svgIsFoundByItsRoot(_ text: String) {
        #expect(ImageFormat.detect(Data(text.utf8)) == .svg)
    }

    @Test(arguments: ["<html><svg/></html>", "<!doctype html><svg>", "svg", "<", "<!--", "<?xml", "<a><svg/></a>"])
    func otherTextIsNoSVG(_ text: String) {
        #expect(ImageFormat.detect(Data(text.utf8)) == nil)
    }

    @Test func animationControlBehindThePixelsMakesNoAnimation() throws {
        let file = try Pictures.file(Pictures.gradient(width: 4, height: 4), .png)
        let control = PNGBytes.chunk("acTL", Data([0, 0, 0, 1, 0, 0, 0, 0]))
        #expect(ImageFormat.detect(PNGBytes.inserting(control, into: file)) == .apng)
        #expect(ImageFormat.detect(file.dropLast(12) + control + file.suffix(12)) == .png)
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html><body>404</body></html>", "an HTML page"),
        ("  <html lang='en'>", "an HTML page"),
        ("<?xml version='1.0'?><Error/>", "an XML document"),
        ("{\"error\": \"not found\"}", "a JSON document"),
        ("Not found", "text"),
        ("%PDF-1.7", "a PDF document"),
    ])
    func errorsSayWhatTheBytesLookLike(_ text: String, _ guess: String) {
        #expect(throws: ImageCodingError.unknownFormat(looksLike: guess)) {
            try ImageCoders.shared.decode(Data(text.utf8))
        }
    }

    @Test func aTextIsReadNoFurtherThanItsBeginning() {
        let root = Data("<svg/>".utf8)
        #expect(ImageFormat.detect(Data(repeating: 0x20, count: 4000) + root) == .svg)
        #expect(ImageFormat.detect(Data(repeating: 0x20, count: 4096) + root) == nil)
        let comments = Data(String(repeating: "<!---->", count: 600).utf8)
        #expect(ImageFormat.detect(comments + root) == nil)
        #expect(throws: ImageCodingError.unknownFormat(looksLike: "text")) {
            try ImageCoders.shared.info(Data(repeating: 0x20, count: 5000) + Data("{}".utf8))
        }
    }

    @Test func errorsNameFormatsThatCannotBeDecoded() {
        #expect(throws: ImageCodingError.unsupportedFormat(.svg)) {
            try ImageCoders([PNGCoder()]).info(Data("<svg/>".utf8))
        }
        #expect(throws: ImageCodingError.empty) { try ImageCoders.shared.decode(Data()) }
        #expect(throws: ImageCodingError.unknownFormat(looksLike: nil)) {
            try ImageCoders.shared.decode(Data([0, 1, 2, 3]))
        }
    }
}
