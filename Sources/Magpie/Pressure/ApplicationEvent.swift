/// What happens to the application that uses the library, and what caches want to know of.
///
/// The library cannot see these events on every system; the application tells of them.
public enum ApplicationEvent: Sendable, Hashable {
    /// The application is no longer seen.
    case didEnterBackground
    /// The system asks to give memory back.
    case didReceiveMemoryWarning
    /// The application ends.
    case willTerminate
}
