import Foundation
import MagpieHTTP
import MagpieImage

/// Pictures in both parts of the cache at once, each call in a form that waits without blocking a thread and one that
/// blocks.
extension ImageCache: ImageCaching {
    // MARK: - Query

    /// Looks for a picture: in memory, then among the bytes on disk, which are decoded and kept in memory; nil when there
    /// is none.
    public func query(
        _ key: ImageCacheKey,
        in types: ImageCacheTypes = .all,
        options: ImageCacheOptions = []
    ) async -> ImageCacheResult? {
        let needsDisk = types.contains(.disk) && disk != nil
        if let found = memoryResult(key, types), !(needsDisk && options.contains(.queryMemoryData)) { return found }
        guard needsDisk else { return nil }
        return await workers.perform { self.queryAndWait(key, in: types, options: options) }
    }

    /// Looks for a picture as `query` does; blocks while it is read and decoded.
    public func queryAndWait(
        _ key: ImageCacheKey,
        in types: ImageCacheTypes = .all,
        options: ImageCacheOptions = []
    ) -> ImageCacheResult? {
        // Another query may have decoded it while this one waited for a thread.
        if var found = memoryResult(key, types) {
            if types.contains(.disk), options.contains(.queryMemoryData) { found.data = bytes(of: key)?.data }
            return found
        }
        guard types.contains(.disk), let (data, thumbnail) = bytes(of: key) else { return nil }
        var decoding = ImageDecodeOptions()
        decoding.setThumbnail(thumbnail)
        guard let decoded = try? coders.decode(data.data, options: decoding) else {
            return ImageCacheResult(image: nil, data: data, type: .disk)
        }
        let image = WebImage(bitmap: decoded.bitmap, info: decoded.info, scale: key.scale)
        if types.contains(.memory), !options.contains(.avoidMemoryStore) { memory.store(image, for: key) }
        return ImageCacheResult(image: image, data: data, type: .disk)
    }

    private func memoryResult(_ key: ImageCacheKey, _ types: ImageCacheTypes) -> ImageCacheResult? {
        guard types.contains(.memory), let image = memory.image(for: key) else { return nil }
        return ImageCacheResult(image: image, type: .memory)
    }

    /// The bytes that a version of a picture is made of, and the size that is still to be made: its own bytes, else for
    /// a thumbnail those of the whole picture.
    private func bytes(of key: ImageCacheKey) -> (data: CachedData, thumbnail: ImageCacheKey.Thumbnail?)? {
        if let own = dataAndWait(for: key.dataKey) { return (own, nil) }
        guard let thumbnail = key.thumbnail, key.transformerKey.isEmpty else { return nil }
        return dataAndWait(for: key.source).map { ($0, thumbnail) }
    }

    /// The bytes under a key, from those about to be written or from disk; blocks.
    public func dataAndWait(for key: String) -> CachedData? {
        writer?.data(for: key) ?? disk?.data(for: key)
    }

    // MARK: - Store

    /// Keeps a picture; returns when it is where it was to be kept, or could not be.
    public func store(
        _ image: WebImage?,
        data: CachedData?,
        for key: ImageCacheKey,
        in types: ImageCacheTypes = .all
    ) async {
        if let image, types.contains(.memory) { memory.store(image, for: key) }
        guard types.contains(.disk), let writer else { return }
        guard let data = await workers.perform({ self.data(data, of: image, for: key) }) else { return }
        writer.store(data)
        await writer.flush()
    }

    /// Keeps a picture as `store` does; blocks while it is encoded and written.
    ///
    /// - Returns: whether it is where it was to be kept; false when something newer took its place meanwhile.
    @discardableResult
    public func storeAndWait(
        _ image: WebImage?,
        data: CachedData? = nil,
        for key: ImageCacheKey,
        in types: ImageCacheTypes = .all
    ) -> Bool {
        if let image, types.contains(.memory) { memory.store(image, for: key) }
        guard types.contains(.disk), let writer else { return !types.contains(.disk) }
        guard let data = self.data(data, of: image, for: key) else { return false }
        return writer.storeAndWait(data)
    }

    /// The bytes to keep: those given, under the key, else the image encoded; nil when there is nothing to keep.
    private func data(_ data: CachedData?, of image: WebImage?, for key: ImageCacheKey) -> CachedData? {
        if var data {
            data.key = key.dataKey
            return data
        }
        guard let image else { return nil }
        let format = encodedFormat(of: image)
        guard let encoded = try? coders.encode(image.bitmap, as: format) else { return nil }
        return CachedData(key: key.dataKey, data: encoded, contentType: format.mimeType)
    }

    /// The image's own format where it can be written; else PNG for one with transparency and JPEG for the others.
    private func encodedFormat(of image: WebImage) -> ImageFormat {
        if coders.canEncode(image.format) { return image.format }
        return image.bitmap.alpha == .opaque ? .jpeg : .png
    }

    // MARK: - Contains, remove, clear

    /// Which part holds a picture, memory before disk; empty when none does.
    public func contains(_ key: ImageCacheKey, in types: ImageCacheTypes = .all) async -> ImageCacheTypes {
        if types.contains(.memory), memory.image(for: key) != nil { return .memory }
        guard types.contains(.disk) else { return [] }
        return await workers.perform { self.containsAndWait(key, in: .disk) }
    }

    /// Which part holds a picture, as `contains` says; blocks.
    public func containsAndWait(_ key: ImageCacheKey, in types: ImageCacheTypes = .all) -> ImageCacheTypes {
        if types.contains(.memory), memory.image(for: key) != nil { return .memory }
        guard types.contains(.disk) else { return [] }
        let isOnDisk = writer?.data(for: key.dataKey) != nil || disk?.contains(key.dataKey) == true
        return isOnDisk ? .disk : []
    }

    /// Forgets a picture.
    public func remove(_ key: ImageCacheKey, from types: ImageCacheTypes = .all) async {
        if types.contains(.memory) { memory.remove(for: key) }
        if types.contains(.disk) { await removeData(for: key.dataKey) }
    }

    /// Forgets a picture as `remove` does; blocks.
    public func removeAndWait(_ key: ImageCacheKey, from types: ImageCacheTypes = .all) {
        if types.contains(.memory) { memory.remove(for: key) }
        guard types.contains(.disk) else { return }
        writer?.discard(key.dataKey)
        disk?.remove(key.dataKey)
    }

    /// Forgets all pictures.
    public func clear(_ types: ImageCacheTypes = .all) async {
        if types.contains(.memory) { clearMemory() }
        if types.contains(.disk) { await clearDisk() }
    }
}

extension ImageCacheKey {
    /// What the bytes of this version of the picture are kept under.
    var dataKey: String { thumbnail == nil && transformerKey.isEmpty ? source : description }
}
