/// A message that a server pushes (WHATWG HTML §9.2, “Server-sent events”).
public struct HTTPServerSentEvent: Sendable, Hashable {
    /// What kind of event it is; `message` where the server does not say.
    public let type: String

    /// The content; the lines that the server sent for it are joined with LF.
    public let data: String

    /// The identifier of the last event that had one, this one included; empty where none had.
    public let lastEventID: String

    /// Makes an event.
    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}
