#if TIFF
import CTIFF
import Foundation

/// A file that is open in libtiff; closed by deinit.
final class TIFFFile {
    enum Mode: String {
        // Without the map of the file into memory, which a stream does not have.
        case reading = "rm"
        case writing = "w"
    }

    private static let longestMessage = 256

    let handle: OpaquePointer
    private let stream: TIFFStream
    private let text: UnsafeMutablePointer<CChar>

    /// - Parameter memoryLimit: The largest block, in bytes, that libtiff may ask for at once.
    init(_ stream: TIFFStream, _ mode: Mode, memoryLimit: Int) throws(ImageCodingError) {
        self.stream = stream
        text = .allocate(capacity: Self.longestMessage)
        text.initialize(repeating: 0, count: Self.longestMessage)
        guard let opened = Self.open(stream, mode, memoryLimit: memoryLimit, text: text) else {
            let reason = String(cString: text)
            text.deallocate()
            if stream.wasExhausted { throw .truncated(.tiff, decodedRows: 0, ofRows: 0) }
            throw .corrupt(.tiff, reason.isEmpty ? "its directory cannot be read" : reason)
        }
        handle = opened
    }

    deinit {
        TIFFClose(handle)
        text.deallocate()
    }

    /// What libtiff first complained of; empty where it did not.
    var message: String { String(cString: text) }

    /// Whether more was asked for than the file holds.
    var wasExhausted: Bool { stream.wasExhausted }

    /// A field of 16 bits, or its default.
    func short(_ tag: Int32) -> Int? {
        var value: UInt16 = 0
        return magpie_tiff_get(handle, UInt32(tag), &value) == 0 ? nil : Int(value)
    }

    /// A field of 32 bits, or its default.
    func long(_ tag: Int32) -> Int? {
        var value: UInt32 = 0
        return magpie_tiff_get(handle, UInt32(tag), &value) == 0 ? nil : Int(value)
    }

    /// The meaning of each sample behind the colours of a pixel.
    var extraSamples: [UInt16] {
        var count: UInt16 = 0
        var values: UnsafePointer<UInt16>?
        guard magpie_tiff_get_array(handle, UInt32(TIFFTAG_EXTRASAMPLES), &count, &values) != 0, let values else {
            return []
        }
        return Array(UnsafeBufferPointer(start: values, count: Int(count)))
    }

    /// The ICC profile of the current page.
    var profile: Data? {
        var count: UInt32 = 0
        var bytes: UnsafeRawPointer?
        guard magpie_tiff_get_array(handle, UInt32(TIFFTAG_ICCPROFILE), &count, &bytes) != 0, let bytes else {
            return nil
        }
        return Data(bytes: bytes, count: Int(count))
    }

    /// Keeps the first message, which tells of the root of the trouble; 1 says that it was taken care of.
    private static let keepMessage: TIFFErrorHandlerExtR = { _, text, _, format, arguments in
        guard let text = text?.assumingMemoryBound(to: CChar.self), let format, let arguments, text.pointee == 0 else {
            return 1
        }
        vsnprintf(text, longestMessage, format, arguments)
        return 1
    }

    private static func open(
        _ stream: TIFFStream,
        _ mode: Mode,
        memoryLimit: Int,
        text: UnsafeMutablePointer<CChar>
    ) -> OpaquePointer? {
        guard let options = TIFFOpenOptionsAlloc() else { return nil }
        defer { TIFFOpenOptionsFree(options) }
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, Int64(memoryLimit))
        TIFFOpenOptionsSetErrorHandlerExtR(options, keepMessage, text)
        TIFFOpenOptionsSetWarningHandlerExtR(options, { _, _, _, _, _ in 1 }, nil)
        return TIFFClientOpenExt(
            "picture",
            mode.rawValue,
            Unmanaged.passUnretained(stream).toOpaque(),
            { context, target, count in
                target.flatMap { TIFFStream.of(context)?.read($0, Int(count)) }.map(Int64.init) ?? -1
            },
            { context, source, count in
                source.flatMap { TIFFStream.of(context)?.write($0, Int(count)) }.map(Int64.init) ?? -1
            },
            { context, offset, origin in TIFFStream.of(context)?.seek(offset, origin) ?? UInt64.max },
            { _ in 0 },
            { context in UInt64(TIFFStream.of(context)?.bytes.count ?? 0) },
            nil,
            nil,
            options
        )
    }
}
#endif
