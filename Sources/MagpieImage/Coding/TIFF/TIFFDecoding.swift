#if TIFF
import CTIFF
import Foundation

/// One decode of the current page of a file, strip by strip.
struct TIFFDecoding {
    let file: TIFFFile
    let page: TIFFPage
    let info: ImageInfo
    let options: ImageDecodeOptions

    func run() throws(ImageCodingError) -> DecodedImage {
        let stored = PixelSize(width: page.width, height: page.height)
        let target = options.storedTarget(for: stored, orientation: page.orientation)
        let rasterBytes = page.bandRows * page.width * 4
        let (bytes, overflow) = rasterBytes.addingReportingOverflow(page.blockBytes)
        try options.limits.check(bytes: overflow ? Int.max : bytes)
        let image = try begin()
        defer {
            TIFFRGBAImageEnd(image)
            image.deallocate()
        }
        let raster = try BitmapBuffer(width: page.width, height: page.bandRows, alpha: .straight)
        var shown = info
        (shown.width, shown.height, shown.orientation) = (page.width, page.height, page.orientation)
        shown.hasAlpha = page.alpha != .none
        var sink = try RowSink(
            source: stored,
            target: target,
            info: shown,
            options: options,
            isPremultiplied: page.alpha == .associated,
            colorSpace: colorSpace
        )
        var stopped: ImageCodingError?
        while sink.rowsTaken < page.height {
            let rows = min(page.bandRows, page.height - sink.rowsTaken)
            guard read(image, from: sink.rowsTaken, rows: rows, into: raster) else {
                stopped = failure(rows: sink.rowsTaken)
                break
            }
            sink.append(raster, rows: rows)
        }
        if let stopped, !options.allowsPartial || sink.rowsTaken == 0 { throw stopped }
        let missing = stopped.map { _ in 1 - Double(sink.rowsTaken) / Double(page.height) }
        return DecodedImage(bitmap: sink.finish(), info: info, missingFraction: missing)
    }

    /// Makes libtiff's converter, which knows all kinds of pixels, ready to give rows as they are stored.
    private func begin() throws(ImageCodingError) -> UnsafeMutablePointer<TIFFRGBAImage> {
        guard [1, 2, 4, 8, 16].contains(page.bitsPerSample) else {
            throw .unsupportedFeature(.tiff, "\(page.bitsPerSample) bits a sample")
        }
        if page.alpha == .unassociated {
            // The converter would multiply by alpha; told that this is done, it leaves the numbers alone.
            var kinds = file.extraSamples
            if kinds.isEmpty { kinds = [0] }
            kinds[0] = UInt16(EXTRASAMPLE_ASSOCALPHA)
            _ = magpie_tiff_set_array(file.handle, UInt32(TIFFTAG_EXTRASAMPLES), UInt32(kinds.count), kinds)
        }
        let image = UnsafeMutablePointer<TIFFRGBAImage>.allocate(capacity: 1)
        image.initialize(to: TIFFRGBAImage())
        var reason = [CChar](repeating: 0, count: 1024)
        guard TIFFRGBAImageOK(file.handle, &reason) != 0, TIFFRGBAImageBegin(image, file.handle, 1, &reason) != 0 else {
            image.deallocate()
            if !file.message.isEmpty { throw failure(rows: 0) }
            let text = reason.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) } ?? ""
            throw .unsupportedFeature(.tiff, "pixels that libtiff does not convert (\(text))")
        }
        // Turning upright is done elsewhere.
        image.pointee.orientation = UInt16(ORIENTATION_TOPLEFT)
        image.pointee.req_orientation = UInt16(ORIENTATION_TOPLEFT)
        if page.isDeepGray, image.pointee.isContig != 0 { image.pointee.put.contig = TIFFDeepGray.put }
        return image
    }

    private func read(
        _ image: UnsafeMutablePointer<TIFFRGBAImage>,
        from row: Int,
        rows: Int,
        into raster: borrowing BitmapBuffer
    ) -> Bool {
        guard let pixels = raster.row(0)?.assumingMemoryBound(to: UInt32.self), let offset = Int32(exactly: row) else {
            return false
        }
        image.pointee.row_offset = offset
        guard TIFFRGBAImageGet(image, pixels, UInt32(page.width), UInt32(rows)) != 0 else { return false }
        // libtiff's pixels are words with red in the lowest byte.
        for index in 0..<(rows * page.width) { pixels[index] = pixels[index].littleEndian }
        return true
    }

    private var colorSpace: ColorSpace {
        ICCProfile.colorSpace(ofRGB: file.profile, pixelsAreConverted: page.isConverted)
    }

    private func failure(rows: Int) -> ImageCodingError {
        if file.wasExhausted { return .truncated(.tiff, decodedRows: rows, ofRows: page.height) }
        let message = file.message.isEmpty ? "its pixels cannot be read" : file.message
        return .outOfMemory(toldBy: message, bytes: info.pixelBytes) ?? .corrupt(.tiff, message)
    }
}
#endif
