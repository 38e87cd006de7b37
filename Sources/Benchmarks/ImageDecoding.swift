import Foundation
import MagpieImage

/// Whole decodes, held against the libraries' own interfaces on the same bytes in the same process.
enum ImageDecoding {
    static let rows = [
        row("jpeg-decode", .jpeg, "libjpeg-turbo") { LibJPEG.secondsToDecode($0) },
        row("png-decode", .png, "libpng") { LibPNG.secondsToDecode($0) },
        row("webp-decode", .webp, "libwebp") { LibWebP.secondsToDecode($0) },
    ]

    private static func row(
        _ name: String,
        _ format: ImageFormat,
        _ library: String,
        _ reference: @escaping @Sendable (Data) -> Double
    ) -> BenchmarkRow {
        BenchmarkRow(
            name: name,
            summary: "a \(format) of 12 megapixels, all pixels",
            unit: "s",
            isLargerBetter: false,
            contenders: [
                .init(name: "ImageCoders") { try seconds(PictureFiles.bytes($0)) },
                .init(name: library) { try reference(PictureFiles.bytes($0)) },
            ],
            reference: library,
            missing: { nil }
        ) {
            try PictureFiles.setting(format, width: 4000, height: 3000)
        }
    }

    /// Seconds that a decode takes.
    static func seconds(_ file: Data, _ options: ImageDecodeOptions = ImageDecodeOptions()) throws -> Double {
        let start = ContinuousClock.now
        let image = try ImageCoders.shared.decode(file, options: options)
        let elapsed = ContinuousClock.now - start
        return withExtendedLifetime(image) { elapsed / .seconds(1) }
    }
}
