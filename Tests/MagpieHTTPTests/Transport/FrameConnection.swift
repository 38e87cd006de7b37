import Foundation
import MagpieTestSupport

/// The server's end of an HTTP/2 connection (RFC 9113), frame by frame, on the connection of a `FaultServer` whose client
/// knew beforehand.
struct FrameConnection {
    /// One frame.
    struct Frame {
        let type: UInt8
        let flags: UInt8
        let stream: UInt32
        let payload: Data
    }

    /// The types of frames that are needed here.
    enum FrameType: UInt8 {
        case data = 0
        case headers = 1
        case settings = 4
        case goAway = 7
    }

    private let connection: FaultConnection

    /// Answers the preface, of which the server has read the part that looks like a request.
    init(_ connection: FaultConnection) throws {
        self.connection = connection
        guard connection.readBytes(6) == Data("SM\r\n\r\n".utf8) else { throw FaultConnection.Closed() }
        try send(.settings)
    }

    /// The stream of the next request; `nil` at the end of the connection.
    func nextRequest() throws -> UInt32? {
        while let frame = read() {
            if frame.type == FrameType.settings.rawValue, frame.flags & 1 == 0 { try send(.settings, flags: 1) }
            if frame.type == FrameType.headers.rawValue { return frame.stream }
        }
        return nil
    }

    /// Sends the head of an answer with status 200, and nothing of its body.
    func head(on stream: UInt32) throws {
        // The first byte says "entry 8 of the static table" (RFC 7541, appendix A).
        try send(.headers, flags: 4, on: stream, Data([0x88]))
    }

    /// Sends a body, and ends the stream.
    func body(_ text: String, on stream: UInt32) throws { try send(.data, flags: 1, on: stream, Data(text.utf8)) }

    /// Says that no stream after `last` was looked at, and none will be.
    func goAway(after last: UInt32, error: UInt32 = 0) throws {
        try send(.goAway, Self.bytes(last) + Self.bytes(error))
    }

    private func send(_ type: FrameType, flags: UInt8 = 0, on stream: UInt32 = 0, _ payload: Data = Data()) throws {
        let length = Self.bytes(UInt32(payload.count)).dropFirst()
        try connection.send(length + Data([type.rawValue, flags]) + Self.bytes(stream) + payload)
    }

    private func read() -> Frame? {
        guard let head = connection.readBytes(9).map(Array.init) else { return nil }
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        guard let payload = connection.readBytes(length) else { return nil }
        let stream = head[5...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Frame(type: head[3], flags: head[4], stream: stream & 0x7fff_ffff, payload: payload)
    }

    private static func bytes(_ number: UInt32) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }
}
