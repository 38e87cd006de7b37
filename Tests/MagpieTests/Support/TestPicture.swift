import Foundation
import Magpie
import MagpieImage

/// Small pictures of the tests' own making.
enum TestPicture {
    /// A picture whose pixels differ, encoded.
    static func encoded(width: Int = 40, height: Int = 30, seed: UInt8 = 0, as format: ImageFormat = .png) throws
        -> Data
    {
        try ImageCoders.shared.encode(bitmap(width: width, height: height, seed: seed), as: format)
    }

    static func bitmap(width: Int, height: Int, seed: UInt8 = 0) throws -> Bitmap {
        var buffer = try BitmapBuffer(width: width, height: height, alpha: .opaque)
        buffer.withUnsafeMutableBytes { bytes in
            for pixel in 0..<(bytes.count / 4) {
                bytes[pixel * 4] = UInt8(truncatingIfNeeded: pixel % width * 5) &+ seed
                bytes[pixel * 4 + 1] = UInt8(truncatingIfNeeded: pixel / width * 7)
                bytes[pixel * 4 + 2] = seed
                bytes[pixel * 4 + 3] = 255
            }
        }
        return buffer.finish()
    }

    static func image(width: Int = 10, height: Int = 10) throws -> WebImage {
        WebImage(
            bitmap: try bitmap(width: width, height: height),
            info: ImageInfo(format: .png, width: width, height: height)
        )
    }
}
