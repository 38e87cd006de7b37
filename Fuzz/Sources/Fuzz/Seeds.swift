import Foundation
import MagpieImage

/// Files to begin with where there is no collection of real ones.
enum Seeds {
    private static let formats: [ImageFormat] = [.jpeg, .png, .apng, .gif, .webp, .avif, .jxl, .tiff]

    static func write(to folder: URL) throws {
        var buffer = try BitmapBuffer(width: 20, height: 15, alpha: .straight)
        buffer.withUnsafeMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 7) }
        }
        let bitmap = buffer.finish()
        for format in formats where ImageCoders.shared.canEncode(format) {
            let subfolder = folder.appendingPathComponent(format.rawValue)
            try FileManager.default.createDirectory(at: subfolder, withIntermediateDirectories: true)
            let file = try ImageCoders.shared.encode(bitmap, as: format)
            try file.write(to: subfolder.appendingPathComponent("seed.\(format.fileExtension)"))
        }
        let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path d='M0 0L9 9'/></svg>"
        let subfolder = folder.appendingPathComponent(ImageFormat.svg.rawValue)
        try FileManager.default.createDirectory(at: subfolder, withIntermediateDirectories: true)
        try Data(drawing.utf8).write(to: subfolder.appendingPathComponent("seed.svg"))
    }
}
