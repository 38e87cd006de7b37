#if GIF
import Foundation

/// A GIF whose bytes come in pieces; the first frame is shown as far as it has come.
///
/// giflib cannot stop in the middle of a frame and go on later. Each look at the file therefore begins anew, and comes only
/// when the file has grown by a good part since the last one, so that all looks together cost a few decodes at most.
struct GIFStream: PictureStream {
    private let coder: GIFCoder
    private let options: ImageDecodeOptions
    private(set) var info: ImageInfo?
    private var file = Data()
    private var bytesLookedAt = 0
    private var isFirstFrameShown = false

    init(coder: GIFCoder, options: ImageDecodeOptions) {
        self.coder = coder
        self.options = options
    }

    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(ImageCodingError) -> Int {
        file.append(contentsOf: bytes)
        if info == nil, hasGrown {
            bytesLookedAt = file.count
            info = try looking { () throws(ImageCodingError) in try coder.info(file, limits: options.limits) }
            // The first picture is not to wait for more.
            if info != nil { bytesLookedAt = 0 }
        }
        return bytes.count
    }

    mutating func preview() throws(ImageCodingError) -> DecodedImage? {
        guard info != nil, !isFirstFrameShown, hasGrown else { return nil }
        bytesLookedAt = file.count
        var options = options
        options.allowsPartial = true
        let image = try looking { () throws(ImageCodingError) in try coder.decode(file, options: options) }
        isFirstFrameShown = image?.isPartial == false
        return image
    }

    mutating func finish(_ bytes: UnsafeRawBufferPointer) throws(ImageCodingError) -> DecodedImage {
        file.append(contentsOf: bytes)
        let image = try coder.decode(file, options: options)
        info = image.info
        return image
    }

    /// Whether the file has grown by a quarter since it was looked at.
    private var hasGrown: Bool { file.count > bytesLookedAt + bytesLookedAt / 4 }

    /// nil where what is wrong may be no more than that the rest has not come yet.
    private func looking<R>(_ body: () throws(ImageCodingError) -> R) throws(ImageCodingError) -> R? {
        do throws(ImageCodingError) {
            return try body()
        } catch {
            switch error {
            case .tooLarge, .tooManyFrames, .outOfMemory: throw error
            default: return nil
            }
        }
    }
}
#endif
