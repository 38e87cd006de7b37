#if GIF
import Foundation

/// The frames of a GIF as they are stored.
struct GIFFrames: FrameParts {
    let info: ImageInfo
    let parts: [FramePart]
    private let data: Data
    private let header: GIFHeader
    private let allowsPartial: Bool

    init(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) {
        let limits = options.limits
        let header = try data.withReader { (reader) throws(ImageCodingError) in try GIFHeader(reader, limits: limits) }
        try limits.check(width: header.width, height: header.height)
        self.data = data
        self.header = header
        allowsPartial = options.allowsPartial
        parts = header.frames.map(\.part)
        info = ImageInfo(
            format: .gif,
            width: header.width,
            height: header.height,
            hasAlpha: header.hasAlpha,
            frameCount: header.frames.count,
            loopCount: header.loopCount,
            frameDurations: header.frames.map { Double($0.delay) * 10 },
            colorSpace: "indexed",
            isProgressive: header.frames.first?.isInterlaced ?? false
        )
    }

    var isAlphaAllOrNothing: Bool { true }

    func paint(_ index: Int, on canvas: Canvas) throws(ImageCodingError) -> Double? {
        try data.withReader { (reader) throws(ImageCodingError) in
            try GIFFrameDecoding(
                reader: reader,
                header: header,
                frame: header.frames[index],
                allowsPartial: allowsPartial
            ).paint(on: canvas)
        }
    }
}
#endif
