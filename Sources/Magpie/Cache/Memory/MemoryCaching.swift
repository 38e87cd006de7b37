/// A cache of decoded images in memory.
///
/// `ImageCache` calls it from any thread, on the path of every load: each call must be short.
public protocol MemoryCaching: Sendable {
    /// The image under a key; finding it counts as a use.
    func image(for key: ImageCacheKey) -> WebImage?

    /// Keeps an image under a key, in place of the one before; may drop others, or refuse one that is too large.
    func store(_ image: WebImage, for key: ImageCacheKey)

    /// Forgets the image under a key.
    func remove(for key: ImageCacheKey)

    /// Forgets all images.
    func removeAll()

    /// The number of images held.
    var count: Int { get }

    /// The memory that the images held take, in bytes (`WebImage.memoryCost`).
    var totalCost: Int { get }

    /// Gives memory back when the application needs it.
    func respond(to event: ApplicationEvent)
}

extension MemoryCaching {
    /// Forgets all images at a memory warning.
    public func respond(to event: ApplicationEvent) {
        if event == .didReceiveMemoryWarning { removeAll() }
    }
}
