/// Finds images that left the cache and are still in use elsewhere, without keeping them.
struct WeakImages {
    private struct Reference {
        weak var image: WebImage?
        let storedAt: Duration
    }

    private var references: [ImageCacheKey: Reference] = [:]
    /// At how many references those to images that are gone are dropped; grows with those that are not, so that it
    /// happens seldom enough.
    private var pruningCount = 32

    /// Whether there is nothing to be found.
    var isEmpty: Bool { references.isEmpty }

    /// The image under a key, if it is still in use.
    func image(for key: ImageCacheKey) -> HeldImage? {
        guard let reference = references[key], let image = reference.image else { return nil }
        return HeldImage(image: image, storedAt: reference.storedAt)
    }

    /// Remembers an image.
    mutating func insert(_ held: HeldImage, for key: ImageCacheKey) {
        references[key] = Reference(image: held.image, storedAt: held.storedAt)
        guard references.count >= pruningCount else { return }
        references = references.filter { $0.value.image != nil }
        pruningCount = max(32, references.count * 2)
    }

    /// Forgets the image under a key.
    mutating func remove(_ key: ImageCacheKey) {
        if !references.isEmpty { references[key] = nil }
    }
}
