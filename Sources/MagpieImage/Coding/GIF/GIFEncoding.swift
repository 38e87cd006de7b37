#if GIF
import CGIF
import Foundation

/// Writes an animation with giflib: of each frame what is new, with a palette of its own.
struct GIFEncoding {
    /// What the canvas shows, one opaque colour or 0 a pixel.
    private typealias Pixels = [UInt32]

    private let frames: any ImageFrameSource
    private let first: Bitmap
    private var size: PixelSize { first.size }

    init(_ frames: any ImageFrameSource) throws(ImageCodingError) {
        self.frames = frames
        first = try frames.frame(at: 0)
        guard max(first.width, first.height) <= 65535 else {
            throw .cannotEncode(.gif, "a side is longer than 65535 pixels")
        }
    }

    func run() throws(ImageCodingError) -> Data {
        var data = Data()
        var failure: ImageCodingError?
        withUnsafeMutablePointer(to: &data) { target in
            var code: Int32 = 0
            guard let file = EGifOpen(target, Self.write, &code) else { return }
            do throws(ImageCodingError) {
                try write(to: file)
            } catch {
                failure = error
            }
            if EGifCloseFile(file, &code) != GIF_OK, failure == nil { failure = Self.failure(code) }
        }
        if let failure { throw failure }
        return data
    }

    private static let write: OutputFunc = { file, bytes, count in
        guard let target = file?.pointee.UserData?.assumingMemoryBound(to: Data.self), let bytes else { return 0 }
        target.pointee.append(bytes, count: Int(count))
        return count
    }

    private func write(to file: UnsafeMutablePointer<GifFileType>) throws(ImageCodingError) {
        EGifSetGifVersion(file, true)
        try check(EGifPutScreenDesc(file, Int32(size.width), Int32(size.height), 8, 0, nil), file)
        if frames.frameCount > 1, frames.loopCount != 1 { try writeLoopCount(file) }
        // What is on the canvas; nil where it is clear.
        var before: Pixels?
        var current = try pixels(first)
        var time = 0.0
        for index in 0..<frames.frameCount {
            let next = index + 1 < frames.frameCount ? try pixels(frames.frame(at: index + 1)) : nil
            // A frame cannot make pixels transparent; the one before it can be cleared as a whole.
            let isCleared = next.map { zip(current, $0).contains { $0 != 0 && $1 == 0 } } ?? false
            let start = Self.hundredths(time)
            time += frames.info.frameDurations.indices.contains(index) ? frames.info.frameDurations[index] : 0
            let delay = min(65535, Self.hundredths(time) - start)
            try write(current, over: before, isCleared: isCleared, delay: delay, to: file)
            before = isCleared ? nil : current
            current = next ?? current
        }
    }

    /// Durations are rounded as points in time, so that the errors do not add up.
    private static func hundredths(_ milliseconds: Double) -> Int {
        Int(exactly: (milliseconds / 10).rounded()) ?? 0
    }

    /// The NETSCAPE2.0 extension.
    private func writeLoopCount(_ file: UnsafeMutablePointer<GifFileType>) throws(ImageCodingError) {
        let count = UInt16(clamping: frames.loopCount)
        try check(EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE), file)
        try check(EGifPutExtensionBlock(file, 11, "NETSCAPE2.0"), file)
        try check(EGifPutExtensionBlock(file, 3, [1, UInt8(count & 255), UInt8(count >> 8)]), file)
        try check(EGifPutExtensionTrailer(file), file)
    }

    /// Writes what a picture changes on the canvas.
    private func write(
        _ picture: Pixels,
        over before: Pixels?,
        isCleared: Bool,
        delay: Int,
        to file: UnsafeMutablePointer<GifFileType>
    ) throws(ImageCodingError) {
        let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        let rect = isCleared ? whole : difference(before, picture)
        var part: Pixels = []
        part.reserveCapacity(rect.width * rect.height)
        for row in rect.y..<(rect.y + rect.height) {
            for at in (row * size.width + rect.x)..<(row * size.width + rect.x + rect.width) {
                part.append(before?[at] == picture[at] ? 0 : picture[at])
            }
        }
        let indexed = IndexedPixels(part, width: rect.width)
        var control = GraphicsControlBlock(
            DisposalMode: isCleared ? DISPOSE_BACKGROUND : DISPOSE_DO_NOT,
            UserInputFlag: false,
            DelayTime: Int32(delay),
            TransparentColor: Int32(indexed.transparentIndex)
        )
        var block = [UInt8](repeating: 0, count: 4)
        _ = EGifGCBToExtension(&control, &block)
        try check(EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, 4, block), file)
        try write(indexed, in: rect, to: file)
    }

    private func write(
        _ indexed: IndexedPixels,
        in rect: PixelRect,
        to file: UnsafeMutablePointer<GifFileType>
    ) throws(ImageCodingError) {
        let bits = max(1, Int.bitWidth - indexed.transparentIndex.leadingZeroBitCount)
        var colors = indexed.palette.map { pixel in
            let color = UInt32(littleEndian: pixel)
            return GifColorType(Red: UInt8(color & 255), Green: UInt8(color >> 8 & 255), Blue: UInt8(color >> 16 & 255))
        }
        colors += [GifColorType](repeating: GifColorType(), count: (1 << bits) - colors.count)
        guard let map = GifMakeMapObject(Int32(colors.count), colors) else { throw .outOfMemory(bytes: colors.count) }
        defer { GifFreeMapObject(map) }
        let (x, y, width, height) = (Int32(rect.x), Int32(rect.y), Int32(rect.width), Int32(rect.height))
        try check(EGifPutImageDesc(file, x, y, width, height, false, map), file)
        var indices = indexed.indices
        for row in 0..<rect.height {
            let isDone = indices.withUnsafeMutableBufferPointer { indices in
                EGifPutLine(file, indices.baseAddress.map { $0 + row * rect.width }, width)
            }
            try check(isDone, file)
        }
    }

    private func difference(_ before: Pixels?, _ picture: Pixels) -> PixelRect {
        picture.withUnsafeBytes { after in
            guard let before else { return FrameDifference.rect(nil, after, size: size) }
            return before.withUnsafeBytes { FrameDifference.rect($0, after, size: size) }
        }
    }

    /// A frame with all alpha made into nothing or all.
    private func pixels(_ bitmap: Bitmap) throws(ImageCodingError) -> Pixels {
        guard bitmap.size == size else { throw .cannotEncode(.gif, "its frames are of different sizes") }
        return bitmap.straightRGBA().withUnsafeBytes { bytes in
            bytes.assumingMemoryBound(to: UInt32.self).map { pixel in
                let color = UInt32(littleEndian: pixel)
                return color >> 24 < 128 ? 0 : UInt32(littleEndian: color | 0xFF00_0000)
            }
        }
    }

    private func check(_ result: Int32, _ file: UnsafeMutablePointer<GifFileType>) throws(ImageCodingError) {
        if result != GIF_OK { throw Self.failure(file.pointee.Error) }
    }

    private static func failure(_ code: Int32) -> ImageCodingError {
        .cannotEncode(.gif, GifErrorString(code).map { String(cString: $0) } ?? "giflib gave up")
    }
}
#endif
