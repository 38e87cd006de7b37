/// What the boxes of a HEIF file (AVIF, HEIC) say, without a look into the coded pictures.
struct HEIFHeader {
    let format: ImageFormat
    /// Of the primary picture, or of the track that is shown in its stead.
    let properties: VisualProperties
    let hasAlpha: Bool
    /// The animation that the file is; nil for a still.
    let track: ISOTrack?
    /// The track of its alpha channel, where there is one.
    let alphaTrack: ISOTrack?
    /// The primary item's identity, where there is one.
    let primary: Int?
    /// Whether the file ends before a box that it begins.
    let isCutOff: Bool

    init(_ reader: ByteReader, format: ImageFormat, limits: ImageLimits) throws(ImageCodingError) {
        self.format = format
        let boxes = ISOBox.all(in: reader)
        isCutOff = boxes.last?.isCutOff ?? true
        let items = boxes["meta"].flatMap { HEIFItems($0) }
        primary = items?.primary
        if Self.isSequence(boxes["ftyp"]), let moov = boxes["moov"] {
            let tracks = try Self.tracks(moov, limits: limits, format: format)
            if let track = tracks.first(where: { $0.alphaOf == nil && !$0.durations.isEmpty }) {
                self.track = track
                properties = track.properties
                alphaTrack = tracks.first { $0.alphaOf == track.id }
                hasAlpha = alphaTrack != nil
                try check(limits)
                return
            }
        }
        guard let items else {
            if isCutOff { throw .truncated(format, decodedRows: 0, ofRows: 0) }
            throw .corrupt(format, "it names no picture to be shown")
        }
        track = nil
        alphaTrack = nil
        var properties = VisualProperties(items.properties(of: items.primary))
        let tile = items.sources(of: items.primary).first
        if let tile {
            // A grid has a size and a turn of its own; what codes it is known of its tiles.
            let coded = VisualProperties(items.properties(of: tile))
            properties.bitsPerChannel = coded.bitsPerChannel
            properties.isMonochrome = coded.isMonochrome
            properties.profile = properties.profile ?? coded.profile
            properties.cicp = properties.cicp ?? coded.cicp
        }
        self.properties = properties
        hasAlpha = items.hasAlpha(items.primary) || tile.map(items.hasAlpha) ?? false
        try check(limits)
    }

    private func check(_ limits: ImageLimits) throws(ImageCodingError) {
        guard let size = properties.size, size.width > 0, size.height > 0 else {
            if isCutOff { throw .truncated(format, decodedRows: 0, ofRows: 0) }
            throw .corrupt(format, "it does not say how large it is")
        }
        try limits.check(width: size.width, height: size.height)
    }

    var info: ImageInfo {
        let size = properties.size ?? PixelSize(width: 0, height: 0)
        return ImageInfo(
            format: format,
            width: size.width,
            height: size.height,
            crop: properties.crop,
            orientation: properties.orientation,
            hasAlpha: hasAlpha,
            frameCount: track?.durations.count ?? 1,
            loopCount: track?.loopCount,
            frameDurations: track?.durations ?? [],
            bitsPerChannel: properties.bitsPerChannel,
            colorSpace: properties.isMonochrome ? "gray" : properties.cicp?.matrix == 0 ? "rgb" : "ycbcr"
        )
    }

    /// A profile goes before code points; those that say nothing, or sRGB, are sRGB.
    var colorSpace: ColorSpace {
        if let profile = properties.profile { return ICCProfile.colorSpace(ofRGB: profile) }
        guard let cicp = properties.cicp else { return .sRGB }
        let isStandard = [1, 2].contains(cicp.primaries) && [2, 13].contains(cicp.transfer)
        return isStandard ? .sRGB : .cicp(primaries: cicp.primaries, transfer: cicp.transfer)
    }

    /// The major brand of an image sequence (ISO/IEC 23008-12 §10, AV1 Image File Format §6).
    private static func isSequence(_ ftyp: ISOBox?) -> Bool {
        let brands: [FourCC] = ["avis", "msf1", "hevc", "hevx", "hevm", "hevs"]
        return ftyp?.content.fourCC(0).map(brands.contains) ?? false
    }

    private static func tracks(
        _ moov: ISOBox,
        limits: ImageLimits,
        format: ImageFormat
    ) throws(ImageCodingError) -> [ISOTrack] {
        var tracks: [ISOTrack] = []
        for trak in moov.children() where trak.type == "trak" {
            if let track = try ISOTrack(trak, limits: limits, format: format) { tracks.append(track) }
        }
        return tracks
    }
}
