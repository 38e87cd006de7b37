/// Makes events of the lines of an event stream (WHATWG HTML §9.2.6).
struct ServerSentEventParser {
    /// How long the content of one event may be, in bytes.
    let limit: Int

    /// The identifier of the last event that was complete, for the next connection.
    private(set) var lastEventID: String

    /// How long the server asked to wait before the next connection, if it did.
    private(set) var retry: Duration?

    private var type = ""
    private var data: String?
    private var id: String

    init(limit: Int, lastEventID: String = "") {
        self.limit = limit
        self.lastEventID = lastEventID
        id = lastEventID
    }

    /// Takes a line; an empty one may complete an event.
    mutating func consume(_ line: String) throws(HTTPError) -> HTTPServerSentEvent? {
        guard !line.isEmpty else { return dispatch() }
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            try set(line[...], to: "")
            return nil
        }
        // A line that begins with a colon is a comment.
        guard colon > line.startIndex else { return nil }
        var value = line[line.utf8.index(after: colon)...]
        if value.utf8.first == UInt8(ascii: " ") { value = Substring(value.unicodeScalars.dropFirst()) }
        try set(line[..<colon], to: value)
        return nil
    }

    /// Forgets the event that the end of a connection left unfinished.
    mutating func reset() {
        type = ""
        data = nil
        id = lastEventID
    }

    private mutating func set(_ field: Substring, to value: Substring) throws(HTTPError) {
        switch field {
        case "event": type = String(value)
        case "data":
            if data == nil {
                data = String(value)
            } else {
                // In place: a copy of all for each line would take time by the square of their number.
                data?.append("\n")
                data?.append(contentsOf: value)
            }
            guard data?.utf8.count ?? 0 <= limit else { throw .lineTooLong(limit: limit) }
        case "id":
            if !value.unicodeScalars.contains("\0") { id = String(value) }
        case "retry":
            // Digits alone, in milliseconds; what no number can hold is nothing that can be meant.
            if !value.isEmpty, value.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let milliseconds = Int32(value) {
                retry = .milliseconds(milliseconds)
            }
        default: break
        }
    }

    private mutating func dispatch() -> HTTPServerSentEvent? {
        lastEventID = id
        defer {
            type = ""
            data = nil
        }
        guard let data else { return nil }
        return HTTPServerSentEvent(type: type.isEmpty ? "message" : type, data: data, lastEventID: lastEventID)
    }
}
