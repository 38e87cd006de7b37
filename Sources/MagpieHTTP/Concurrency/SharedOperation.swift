/// Work in progress that can be stopped and moved forward or back in its queue: a download, a job on a worker, a
/// subscription to a job that others share.
///
/// Both calls may come from any thread, more than once, and after the work has ended, when they do nothing.
/// `setPriority` may be called with locks of the layer above held: it must neither block nor call back.
package protocol SharedOperation: Sendable {
    /// Stops it.
    func cancel()
    /// Moves it.
    func setPriority(_ priority: HTTPPriority)
}
