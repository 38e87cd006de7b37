/// An image in the memory cache.
struct HeldImage {
    var image: WebImage
    /// When it was stored, on the cache's clock.
    let storedAt: Duration

    /// Whether it has been in the cache for as long as it may.
    func isExpired(at now: Duration, timeToLive: Duration) -> Bool {
        now - storedAt >= timeToLive
    }
}
