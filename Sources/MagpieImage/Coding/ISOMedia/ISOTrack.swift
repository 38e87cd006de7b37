/// A track of pictures (ISO/IEC 14496-12 §8.3): an image sequence of HEIF, or its alpha channel.
struct ISOTrack {
    let id: Int
    let properties: VisualProperties
    /// How long each sample is shown, in milliseconds to three places.
    let durations: [Double]
    /// How often the track plays, 0 for ever: what its edit list says, and 1 without one.
    let loopCount: Int
    /// The track that this one is the alpha channel of.
    let alphaOf: Int?
    /// The boxes of the sample entry, such as `hvcC`.
    let entry: [ISOBox]
    /// The sample table, `stbl`.
    let table: [ISOBox]

    /// Reads a `trak` box; nil for one that has no pictures.
    init?(_ trak: ISOBox, limits: ImageLimits, format: ImageFormat) throws(ImageCodingError) {
        let boxes = trak.children()
        guard let tkhd = boxes["tkhd"], let id = tkhd.content.bigEndian32(tkhd.version == 1 ? 20 : 12),
            let mdia = boxes["mdia"]?.children(), let mdhd = mdia["mdhd"], let hdlr = mdia["hdlr"]?.content,
            hdlr.has("pict", at: 8) || hdlr.has("auxv", at: 8) || hdlr.has("vide", at: 8),
            let table = mdia["minf"]?.children()["stbl"]?.children(),
            let entry = table["stsd"]?.children(from: 8).first,
            let width = entry.content.bigEndian16(24), let height = entry.content.bigEndian16(26)
        else { return nil }
        self.id = id
        self.table = table
        self.entry = entry.children(from: 78)
        properties = VisualProperties(self.entry, size: PixelSize(width: width, height: height))
        let timescale = mdhd.content.bigEndian32(mdhd.version == 1 ? 20 : 12) ?? 0
        durations = try Self.durations(table, timescale: timescale, limits: limits, format: format)
        loopCount = Self.loopCount(boxes["edts"]?.children()["elst"], tkhd: tkhd)
        let isAuxiliary = hdlr.has("auxv", at: 8)
        alphaOf = isAuxiliary ? boxes["tref"]?.children()["auxl"]?.content.bigEndian32(0) : nil
    }

    /// `stts` (§8.6.1.2), as many of its durations as `stsz` (§8.7.3.2) has samples.
    private static func durations(
        _ table: [ISOBox],
        timescale: Int,
        limits: ImageLimits,
        format: ImageFormat
    ) throws(ImageCodingError) -> [Double] {
        let count = table["stsz"]?.content.bigEndian32(8) ?? 0
        try limits.check(frames: count, of: format)
        var durations: [Double] = []
        guard let stts = table["stts"]?.content, timescale > 0 else { return [Double](repeating: 0, count: count) }
        var offset = 8
        while durations.count < count, let run = stts.bigEndian32(offset), let ticks = stts.bigEndian32(offset + 4) {
            let duration = (Double(ticks) * 1_000_000 / Double(timescale)).rounded() / 1000
            durations += repeatElement(duration, count: min(run, count - durations.count))
            offset += 8
        }
        durations += repeatElement(0, count: count - durations.count)
        return durations
    }

    /// An edit list that repeats (§8.6.6) plays as often as its one segment fits into the track.
    private static func loopCount(_ elst: ISOBox?, tkhd: ISOBox) -> Int {
        guard let elst, elst.flags & 1 != 0 else { return 1 }
        let whole = tkhd.version == 1 ? tkhd.content.bigEndian64(28) : tkhd.content.bigEndian32(20)
        let segment = elst.version == 1 ? elst.content.bigEndian64(8) : elst.content.bigEndian32(8)
        // All ones stand for "no end", and do not fit a number in the wide form.
        guard let whole, whole != 0xFFFF_FFFF, let segment, segment > 0 else { return 0 }
        return max(1, (whole + segment - 1) / segment)
    }
}
