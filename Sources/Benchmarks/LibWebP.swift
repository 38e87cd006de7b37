import CWebP
import Foundation

/// libwebp's own interface, as bare as it can be used: what our decoder is held against.
enum LibWebP {
    /// Decodes to RGBA rows in fresh memory, scaled down by a whole factor; returns the seconds.
    static func secondsToDecode(_ file: Data, dividedBy factor: Int32 = 1) -> Double {
        let start = ContinuousClock.now
        file.withUnsafeBytes { bytes in
            var config = WebPDecoderConfig()
            guard WebPInitDecoderConfig(&config) != 0, let first = bytes.baseAddress else { return }
            let start = first.assumingMemoryBound(to: UInt8.self)
            guard WebPGetFeatures(start, bytes.count, &config.input) == VP8_STATUS_OK else { return }
            if factor > 1 {
                config.options.use_scaling = 1
                config.options.scaled_width = config.input.width / factor
                config.options.scaled_height = config.input.height / factor
            }
            config.output.colorspace = MODE_RGBA
            _ = WebPDecode(start, bytes.count, &config)
            WebPFreeDecBuffer(&config.output)
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }
}
