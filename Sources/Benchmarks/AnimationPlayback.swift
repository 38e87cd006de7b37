import CGIF
import CWebP
import Foundation
import MagpieImage

/// All frames of an animation, in order, as pictures to be shown.
///
/// The references are the libraries below, in this process, on the same bytes, with nothing made for each frame but the
/// canvas itself.
enum AnimationPlayback {
    private static let size = PixelSize(width: 480, height: 320)
    private static let frameCount = 40

    /// A reference could not read the file.
    struct ReferenceFailed: Error {}

    static let rows = [
        row("gif-playback", .gif, reference: "giflib", playGIF),
        row("webp-playback", .webp, reference: "WebPAnimDecoder", playWebP),
    ]

    private static func row(
        _ name: String,
        _ format: ImageFormat,
        reference: String,
        _ play: @escaping @Sendable (Data) throws -> Void
    ) -> BenchmarkRow {
        BenchmarkRow(
            name: name,
            summary: "\(frameCount) frames of \(size) pixels",
            unit: "s",
            isLargerBetter: false,
            contenders: [
                .init(name: "ImageFrameSource") { try time($0, format, playOurs) },
                .init(name: reference) { try time($0, format, play) },
            ],
            reference: reference,
            missing: { nil }
        ) {
            .init(context: [:]) {}
        }
    }

    private static func time(
        _ context: BenchmarkRow.Context,
        _ format: ImageFormat,
        _ play: (Data) throws -> Void
    ) throws -> Double {
        let file = try format == .gif ? gif.get() : webp.get()
        let start = ContinuousClock.now
        try play(file)
        return (ContinuousClock.now - start) / .seconds(1)
    }

    private static func playOurs(_ file: Data) throws {
        let frames = try ImageCoders.shared.frames(of: file)
        for index in 0..<frames.frameCount { _ = try frames.frame(at: index) }
    }

    // MARK: - giflib

    private struct Source {
        var rest: UnsafeRawBufferPointer
    }

    private static func playGIF(_ file: Data) throws {
        try file.withUnsafeBytes { bytes in
            var source = Source(rest: bytes)
            try withUnsafeMutablePointer(to: &source) { source in
                let read: InputFunc = { file, target, count in
                    guard let source = file?.pointee.UserData?.assumingMemoryBound(to: Source.self) else { return 0 }
                    let bytes = source.pointee.rest.prefix(Int(count))
                    UnsafeMutableRawBufferPointer(start: target, count: Int(count)).copyMemory(
                        from: .init(rebasing: bytes)
                    )
                    source.pointee.rest = .init(rebasing: source.pointee.rest.dropFirst(bytes.count))
                    return Int32(bytes.count)
                }
                guard let gif = DGifOpen(source, read, nil) else { throw ReferenceFailed() }
                defer { DGifCloseFile(gif, nil) }
                try paintAll(gif)
            }
        }
    }

    private static func paintAll(_ gif: UnsafeMutablePointer<GifFileType>) throws {
        var canvas = [UInt32](repeating: 0, count: size.width * size.height)
        var line = [GifPixelType](repeating: 0, count: size.width)
        var transparent = -1
        var type = UNDEFINED_RECORD_TYPE
        while DGifGetRecordType(gif, &type) == GIF_OK, type != TERMINATE_RECORD_TYPE {
            if type == EXTENSION_RECORD_TYPE {
                var (label, block): (Int32, UnsafeMutablePointer<GifByteType>?) = (0, nil)
                _ = DGifGetExtension(gif, &label, &block)
                if label == GRAPHICS_EXT_FUNC_CODE, let block { transparent = block[1] & 1 == 1 ? Int(block[4]) : -1 }
                while block != nil { _ = DGifGetExtensionNext(gif, &block) }
                continue
            }
            guard DGifGetImageDesc(gif) == GIF_OK, let map = gif.pointee.Image.ColorMap ?? gif.pointee.SColorMap else {
                throw ReferenceFailed()
            }
            let colors = (0..<256).map { index -> UInt32 in
                guard index != transparent, index < map.pointee.ColorCount else { return 0 }
                let color = map.pointee.Colors[index]
                return UInt32(color.Red) | UInt32(color.Green) << 8 | UInt32(color.Blue) << 16 | 0xFF00_0000
            }
            let image = gif.pointee.Image
            for row in 0..<Int(image.Height) {
                guard DGifGetLine(gif, &line, image.Width) == GIF_OK else { throw ReferenceFailed() }
                let start = (Int(image.Top) + row) * size.width + Int(image.Left)
                for column in 0..<Int(image.Width) {
                    let color = colors[Int(line[column])]
                    if color != 0 { canvas[start + column] = color }
                }
            }
        }
    }

    // MARK: - WebPAnimDecoder

    private static func playWebP(_ file: Data) throws {
        try file.withUnsafeBytes { bytes in
            var data = WebPData(bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: bytes.count)
            var options = WebPAnimDecoderOptions()
            WebPAnimDecoderOptionsInit(&options)
            options.color_mode = MODE_rgbA
            guard let decoder = WebPAnimDecoderNew(&data, &options) else { throw ReferenceFailed() }
            defer { WebPAnimDecoderDelete(decoder) }
            var pixels: UnsafeMutablePointer<UInt8>?
            var time: Int32 = 0
            while WebPAnimDecoderHasMoreFrames(decoder) != 0 {
                guard WebPAnimDecoderGetNext(decoder, &pixels, &time) != 0 else { throw ReferenceFailed() }
            }
        }
    }

    // MARK: - The animations

    private static let gif = Result { try ImageCoders.shared.encode(frames: Waves(), as: .gif) }
    private static let webp = Result { try ImageCoders.shared.encode(frames: Waves(), as: .webp) }

    /// A picture of another seed moves over one that stays.
    private struct Waves: ImageFrameSource {
        let info = ImageInfo(
            format: .png,
            width: size.width,
            height: size.height,
            frameCount: frameCount,
            loopCount: 0,
            frameDurations: [Double](repeating: 40, count: frameCount)
        )

        func frame(at index: Int) throws(ImageCodingError) -> Bitmap {
            do {
                return try WavePicture.bitmap(width: size.width, height: size.height, seed: UInt64(index))
            } catch {
                throw .noSuchFrame(index, of: frameCount)
            }
        }
    }
}
