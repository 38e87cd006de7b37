import Foundation
public import MagpieImage

/// Names one version of a picture in a cache: the picture, the size it was decoded at, what was done to it after.
///
/// `source` alone names the bytes as received, which the disk cache keeps; the whole key names decoded pixels, which
/// the memory cache keeps. Parts are compared one by one; `description` is the same key as text.
public struct ImageCacheKey: Hashable, Sendable {
    /// A size that a picture is decoded at.
    public struct Thumbnail: Hashable, Sendable {
        /// The box in pixels.
        public var size: PixelSize

        /// Whether the picture fits inside the box in its own proportions; otherwise it fills the box, stretched.
        public var preservesAspectRatio: Bool

        /// A box that a picture is decoded for.
        public init(size: PixelSize, preservesAspectRatio: Bool = true) {
            self.size = size
            self.preservesAspectRatio = preservesAspectRatio
        }
    }

    /// What names the bytes: the address of the picture, unless the caller chose something else.
    public var source: String

    /// The size that the picture is decoded at; nil for its own size.
    public var thumbnail: Thumbnail?

    /// The keys of the transformers that were applied, in order, joined by `-`; empty when there were none.
    public var transformerKey: String

    /// Pixels per point of the image.
    public var scale: Double

    /// A key for a picture and its version.
    public init(source: String, thumbnail: Thumbnail? = nil, transformerKey: String = "", scale: Double = 1) {
        self.source = source
        self.thumbnail = thumbnail
        self.transformerKey = transformerKey
        self.scale = scale
    }
}

extension ImageCacheKey: CustomStringConvertible {
    /// The key as text, after SDWebImage's rule: the version stands before the extension of the address's path.
    ///
    /// `http://h/a.png?q` with a thumbnail of 100 x 80 becomes `http://h/a-Thumbnail({100.000000,80.000000},1).png?q`.
    public var description: String {
        var suffix = ""
        if let thumbnail {
            let size = String(format: "{%.6f,%.6f}", Double(thumbnail.size.width), Double(thumbnail.size.height))
            suffix += "-Thumbnail(\(size),\(thumbnail.preservesAspectRatio ? 1 : 0))"
        }
        if !transformerKey.isEmpty {
            suffix += "-" + transformerKey
        }
        guard !suffix.isEmpty else { return source }
        let pathEnd = source.firstIndex { $0 == "?" || $0 == "#" } ?? source.endIndex
        let path = source[..<pathEnd]
        let nameStart = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let name = path[nameStart...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name.index(after: dot) < name.endIndex else {
            return path + suffix + source[pathEnd...]
        }
        return source[..<dot] + suffix + source[dot...]
    }
}
