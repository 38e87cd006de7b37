import Foundation
import MagpieImage

/// Pictures of the benchmarks' own making: waves of colour under a little noise, which compress about as photographs do.
enum WavePicture {
    static func bitmap(width: Int, height: Int, seed: UInt64) throws -> Bitmap {
        var buffer = try BitmapBuffer(width: width, height: height, alpha: .opaque)
        var noise = seed &+ 0x9E37_79B9
        buffer.withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let grain = Double(noise >> 60)
                    let (u, v) = (Double(x) / 60 + Double(seed), Double(y) / 45)
                    let pixel = (y * width + x) * 4
                    bytes[pixel] = UInt8(120 + 100 * sin(u + sin(v)) + grain)
                    bytes[pixel + 1] = UInt8(120 + 100 * sin(v * 1.3 + cos(u)) + grain)
                    bytes[pixel + 2] = UInt8(120 + 100 * cos(u * 0.7 - v) + grain)
                    bytes[pixel + 3] = 255
                }
            }
        }
        return buffer.finish()
    }
}
