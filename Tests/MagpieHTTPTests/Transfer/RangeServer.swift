import Foundation
import MagpieConcurrency
import MagpieTestSupport

/// A server that has one resource, answers requests for its end, and cuts the connection where it is told to.
final class RangeServer: Sendable {
    struct Resource {
        var body: Data
        var entityTag: String? = "\"1\""
        var fields: [String] = []
        /// After how many bytes of an answer the connection is cut, for the next answers in turn.
        var cuts: [Int] = []
    }

    let server: FaultServer
    private let state: State

    private final class State: Sendable {
        let resource: Lock<Resource>
        init(_ resource: Resource) { self.resource = Lock(resource) }
    }

    init(_ resource: Resource) throws {
        let state = State(resource)
        self.state = state
        server = try FaultServer { connection, request in try Self.answer(request, on: connection, state) }
    }

    /// Changes what the server has.
    func change(_ body: (inout Resource) -> Void) { state.resource.withLock { body(&$0) } }

    var url: URL { server.url("/file") }

    /// The requests so far.
    var requests: [FaultRequest] { server.requests }

    /// The requests' ranges, or an empty text where one asked for the whole.
    var ranges: [String] { server.requests.map { $0.field("Range") ?? "" } }

    private static func answer(
        _ request: FaultRequest,
        on connection: FaultConnection,
        _ state: State
    ) throws {
        let (resource, cut) = state.resource.withLock { resource in
            (resource, resource.cuts.isEmpty ? nil : resource.cuts.removeFirst())
        }
        var fields = resource.fields
        if let tag = resource.entityTag { fields.append("ETag: \(tag)") }
        var offset = 0
        let isCurrent = request.field("If-Range").map { $0 == resource.entityTag } ?? true
        if isCurrent, let range = request.field("Range"), let first = Int(range.dropFirst(6).dropLast()) {
            guard first < resource.body.count else {
                fields.append("Content-Range: bytes */\(resource.body.count)")
                return try connection.respond("416 Range Not Satisfiable", fields: fields, text: "no")
            }
            offset = first
            fields.append("Content-Range: bytes \(first)-\(resource.body.count - 1)/\(resource.body.count)")
        }
        let body = resource.body.dropFirst(offset)
        let status = offset > 0 ? "206 Partial Content" : "200 OK"
        try connection.respond(status, fields: fields + ["Content-Length: \(body.count)"])
        try connection.send(Data(body.prefix(cut ?? body.count)))
        if cut != nil { throw FaultConnection.Closed() }
    }
}
