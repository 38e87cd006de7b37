public import Foundation

/// One answer on its way into an `HTTPCacheStorage`.
///
/// The calls come one at a time, and may block. A failure costs the entry and is told to nobody.
public protocol HTTPCacheWriter: AnyObject, Sendable {
    /// Adds a part of the body.
    func append(_ chunk: Data)

    /// The body is complete: puts the entry in place of the one that was stored for the key.
    func commit(_ head: HTTPCacheEntry.Head)

    /// The body broke off: nothing of it stays, and what was stored for the key does.
    func cancel()
}
