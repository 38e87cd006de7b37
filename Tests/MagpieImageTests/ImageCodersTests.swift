import Foundation
import MagpieImage
import Testing

@Suite struct ImageCodersTests {
    /// A format of three bytes: a letter, and the gray of a single pixel.
    private struct DotCoder: ImageCoder {
        static let format = ImageFormat(rawValue: "dot")
        var name = "dot"
        var decodableFormats: [ImageFormat] { [Self.format] }

        func canDecode(_ data: Data) -> Bool { data.starts(with: Data("dot".utf8)) }

        func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
            ImageInfo(format: Self.format, width: 1, height: 1, colorSpace: name)
        }

        func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
            let bitmap = try BitmapBuffer(width: 1, height: 1, alpha: .premultiplied).finish()
            return DecodedImage(bitmap: bitmap, info: try info(data, limits: options.limits))
        }
    }

    @Test func aFormatOfOnesOwnIsDecodedOnceRegistered() throws {
        let coders = ImageCoders()
        let data = Data("dot!".utf8)
        #expect(!coders.canDecode(data))
        #expect(throws: ImageCodingError.unknownFormat(looksLike: "text")) { try coders.decode(data) }
        coders.register(DotCoder())
        #expect(coders.canDecode(data))
        #expect(try coders.decode(data).info.format.rawValue == "dot")
        #expect(throws: ImageCodingError.cannotEncode(DotCoder.format, "no coder of this build writes it")) {
            try coders.encode(Pictures.gradient(width: 1, height: 1), as: DotCoder.format)
        }
    }

    @Test func theLastRegisteredIsAskedFirst() throws {
        let coders = ImageCoders([DotCoder(name: "first"), DotCoder(name: "second")])
        #expect(try coders.info(Data("dot!".utf8)).colorSpace == "second")
        coders.register(DotCoder(name: "third"))
        #expect(try coders.info(Data("dot!".utf8)).colorSpace == "third")
        coders.remove(DotCoder.self)
        #expect(coders.coders.isEmpty)
    }

    @Test func allBuiltInFormatsAreThere() {
        for format in [ImageFormat.jpeg, .png, .apng] { #expect(ImageCoders.shared.canEncode(format)) }
        #if WebP
        #expect(ImageCoders.shared.canEncode(.webp))
        #endif
        #if GIF
        #expect(ImageCoders.shared.canDecode(GIFBytes.checkers()))
        #expect(ImageCoders.shared.canEncode(.gif))
        #endif
    }

    @Test func canBeUsedFromManyThreads() async throws {
        let file = try Pictures.file(Pictures.gradient(width: 30, height: 30), .png)
        let coders = ImageCoders()
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<50 {
                group.addTask {
                    if index % 5 == 0 { coders.register(DotCoder()) }
                    return (try? coders.decode(file).bitmap.width) == 30
                }
            }
            for await isDone in group { #expect(isDone) }
        }
        #expect(coders.coders.count == ImageCoders.builtIn.count + 10)
    }
}
