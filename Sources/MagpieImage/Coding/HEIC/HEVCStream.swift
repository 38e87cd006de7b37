#if HEIC
import CHEIF
import Foundation

/// A libde265 decoder over one track of HEVC pictures; one thread at a time.
final class HEVCStream {
    private let file: FileBytes
    private let configuration: ByteReader
    private let table: ISOSampleTable
    private let decoder: UnsafeMutableRawPointer
    private let guardian: HEVCMemory
    /// The sample that is given to the decoder next.
    private var next = 0
    /// The place of the last picture that came out; nil after a start.
    private var lastPlace: Int?

    /// - Parameter size: Larger pictures are refused before they get memory.
    init(_ file: FileBytes, track: ISOTrack, size: PixelSize) throws(ImageCodingError) {
        guard let configuration = track.entry["hvcC"]?.content else {
            throw .unsupportedFeature(.heic, "a sequence that is not of HEVC")
        }
        guard let decoder = de265_new_decoder() else { throw .outOfMemory(bytes: 0) }
        self.file = file
        self.configuration = configuration
        self.decoder = decoder
        table = ISOSampleTable(track.table, count: track.durations.count)
        guardian = HEVCMemory(decoder, size: size)
        start(at: 0)
    }

    deinit { _ = de265_free_decoder(decoder) }

    /// Decodes on, or from the key frame before on, until the picture of a place comes out, and lets it be read.
    func picture<R>(
        at place: Int,
        _ body: (HEVCPicture) throws(ImageCodingError) -> R
    ) throws(ImageCodingError) -> R {
        let key = table.key(forPlace: place)
        let isAhead = lastPlace.map { place > $0 } ?? (key == next)
        if !isAhead || key > next { start(at: key) }
        while let image = try nextImage() {
            defer { de265_release_next_picture(decoder) }
            let found = Int(de265_get_image_PTS(image))
            lastPlace = found
            if found == place { return try body(HEVCPicture(image)) }
            if found > place { break }
        }
        lastPlace = Int.max
        throw .corrupt(.heic, "frame \(place) is damaged or missing")
    }

    private func start(at key: Int) {
        de265_reset(decoder)
        next = key
        lastPlace = nil
        pushConfiguration()
    }

    /// The next picture in the order in which they are shown; nil at the end.
    private func nextImage() throws(ImageCodingError) -> OpaquePointer? {
        while true {
            if let image = de265_peek_next_picture(decoder) { return image }
            var more: Int32 = 0
            let status = de265_decode(decoder, &more)
            if status == DE265_ERROR_WAITING_FOR_INPUT_DATA {
                guard try pushSample() else { return nil }
            } else if more == 0 {
                if let image = de265_peek_next_picture(decoder) { return image }
                if status == DE265_OK, try pushSample() { continue }
                return nil
            }
        }
    }

    /// - Returns: false where all samples are given.
    private func pushSample() throws(ImageCodingError) -> Bool {
        guard next < table.samples.count else {
            // Asked for the first time at the end: what the decoder still holds back comes out.
            guard next == table.samples.count else { return false }
            next += 1
            return de265_flush_data(decoder) == DE265_OK
        }
        let (offset, length) = table.samples[next]
        guard let bytes = ByteReader(file.bytes).window(offset, length) else {
            throw .truncated(.heic, decodedRows: 0, ofRows: 0)
        }
        let sample = ByteReader(bytes)
        var at = 0
        while let (unit, end) = unit(in: sample, at: at) {
            push(unit, place: table.places[next])
            at = end
        }
        de265_push_end_of_frame(decoder)
        next += 1
        return true
    }

    /// A NAL unit behind its length, whose width `hvcC` says (ISO/IEC 14496-15 §4.3.3).
    private func unit(in sample: ByteReader, at offset: Int) -> (UnsafeRawBufferPointer, end: Int)? {
        let width = Int((configuration.byte(21) ?? 3) & 3) + 1
        guard let prefix = sample.window(offset, width) else { return nil }
        let length = prefix.reduce(0) { $0 << 8 | Int($1) }
        return sample.window(offset + width, length).map { ($0, offset + width + length) }
    }

    /// The parameter sets in `hvcC` (ISO/IEC 14496-15 §8.3.3).
    private func pushConfiguration() {
        var offset = 23
        for _ in 0..<(configuration.byte(22) ?? 0) {
            guard let count = configuration.bigEndian16(offset + 1) else { return }
            offset += 3
            for _ in 0..<count {
                guard let length = configuration.bigEndian16(offset),
                    let unit = configuration.window(offset + 2, length)
                else { return }
                push(unit, place: 0)
                offset += 2 + length
            }
        }
    }

    private func push(_ unit: UnsafeRawBufferPointer, place: Int) {
        guard let start = unit.baseAddress, let count = Int32(exactly: unit.count), count > 0 else { return }
        _ = de265_push_NAL(decoder, start, count, de265_PTS(place), nil)
    }
}
#endif
