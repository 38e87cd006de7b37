import Foundation
import MagpieImage

/// Thumbnails of large pictures, held against the libraries' own scaled decode and against Pillow and libvips.
enum ImageThumbnails {
    private struct Picture {
        let name: String
        let format: ImageFormat
        let width: Int
        let height: Int
    }

    private static let pictures = [
        Picture(name: "jpeg-12", format: .jpeg, width: 4000, height: 3000),
        Picture(name: "jpeg-48", format: .jpeg, width: 8000, height: 6000),
        Picture(name: "jpeg-100", format: .jpeg, width: 11_600, height: 8700),
        Picture(name: "png-20", format: .png, width: 5472, height: 3648),
        Picture(name: "webp-12", format: .webp, width: 4000, height: 3000),
    ]

    static let rows = pictures.flatMap { picture in [256, 512].map { row(picture, side: $0) } }

    private static func row(_ picture: Picture, side: Int) -> BenchmarkRow {
        let options = ImageDecodeOptions(thumbnailSize: PixelSize(width: side, height: side))
        let (library, reference) = scaledDecode(picture, side: side)
        return BenchmarkRow(
            name: "thumbnails/\(picture.name)-\(side)",
            summary: "a \(picture.format) of \(picture.width) x \(picture.height) to \(side) pixels",
            unit: "s",
            isLargerBetter: false,
            contenders: [
                .init(name: "ImageCoders") { try ImageDecoding.seconds(PictureFiles.bytes($0), options) },
                .init(name: library) { try reference(PictureFiles.bytes($0)) },
                .init(name: "Pillow") { try PythonReference.pillowSeconds([$0["file"] ?? ""], side: side) },
                .init(name: "libvips") { try PythonReference.vipsSeconds($0["file"] ?? "", side: side) },
            ],
            reference: library,
            missing: {
                PythonReference.hasPillow && PythonReference.hasVips ? nil : "Pillow or libvips is not installed"
            }
        ) {
            try PictureFiles.setting(picture.format, width: picture.width, height: picture.height)
        }
    }

    /// The library's decode at the factor that leaves at least as many pixels as the decoder here begins with.
    private static func scaledDecode(
        _ picture: Picture,
        side: Int
    ) -> (name: String, run: @Sendable (Data) -> Double) {
        let ratio = picture.width / side
        switch picture.format {
        case .jpeg:
            let eighths: UInt32 = ratio >= 15 ? 1 : ratio >= 7 ? 2 : 4
            return ("libjpeg-turbo at \(eighths)/8", { LibJPEG.secondsToDecode($0, eighths: eighths) })
        case .png:
            return ("libpng, all pixels", { LibPNG.secondsToDecode($0) })
        default:
            let factor = Int32(max(1, ratio / 3))
            return ("libwebp at 1/\(factor)", { LibWebP.secondsToDecode($0, dividedBy: factor) })
        }
    }
}
