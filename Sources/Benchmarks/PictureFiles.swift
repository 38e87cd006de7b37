import Foundation
import MagpieImage
import MagpieTestSupport

/// Files of the benchmarks' own pictures, written for the time of a row.
enum PictureFiles {
    /// Megapixels of a tile; larger pictures repeat it.
    private static let tile = PixelSize(width: 4000, height: 3000)

    /// A row's setting with one file, whose path is `file` in the context.
    static func setting(
        _ format: ImageFormat,
        width: Int,
        height: Int,
        quality: Double = 0.85,
        isProgressive: Bool = false
    ) throws -> BenchmarkRow.Setting {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("picture.\(format.fileExtension)")
        let options = ImageEncodeOptions(quality: quality)
        let data = try ImageCoders.shared.encode(bitmap(width: width, height: height), as: format, options: options)
        try (isProgressive ? LibJPEG.progressive(data) : data).write(to: path)
        return .init(context: ["file": path.path]) { _ = folder }
    }

    /// The bytes of the setting's file.
    static func bytes(_ context: BenchmarkRow.Context) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: context["file"] ?? ""))
    }

    private static func bitmap(width: Int, height: Int) throws -> Bitmap {
        let wave = try WavePicture.bitmap(
            width: min(width, tile.width),
            height: min(height, tile.height),
            seed: 1
        )
        if width == wave.width, height == wave.height { return wave }
        var buffer = try BitmapBuffer(width: width, height: height, alpha: .opaque)
        let stride = buffer.bytesPerRow
        buffer.withUnsafeMutableBytes { target in
            wave.withUnsafeBytes { source in
                for row in 0..<height {
                    for start in Swift.stride(from: 0, to: stride, by: wave.bytesPerRow) {
                        let count = min(wave.bytesPerRow, stride - start)
                        let from = source[(row % wave.height * wave.bytesPerRow)...].prefix(count)
                        UnsafeMutableRawBufferPointer(rebasing: target[(row * stride + start)...].prefix(count))
                            .copyBytes(from: from)
                    }
                }
            }
        }
        return buffer.finish()
    }
}
