import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// HTTP/2 without TLS, with a server that ends its connections in the middle.
@Suite(.timeLimit(.minutes(1)))
struct HTTP2FrameTests {
    private let session = HTTPSession(configuration: .init(versions: .http2PriorKnowledge))

    /// Serves each connection with the frames that `serve` sends; it is told the connection's number, from zero.
    private func server(_ serve: @escaping @Sendable (FrameConnection, Int) throws -> Void) throws -> FaultServer {
        let count = Lock(0)
        return try FaultServer { connection, request in
            #expect(request.method == "PRI")
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            try serve(try FrameConnection(connection), number)
        }
    }

    private func load(_ server: FaultServer) async throws -> HTTPDataResponse {
        try await session.data(for: HTTPRequest(url: server.url()))
    }

    @Test func aServerThatIsKnownToSpeakIt() async throws {
        let server = try server { connection, _ in
            while let stream = try connection.nextRequest() {
                try connection.head(on: stream)
                try connection.body("stream \(stream)", on: stream)
            }
        }
        let first = try await load(server)
        #expect(first.text == "stream 1" && first.metrics.version == .http2)
        #expect(try await load(server).text == (server.connectionCount == 1 ? "stream 3" : "stream 1"))
    }

    /// What was begun before a GOAWAY is finished; what comes after it goes to another connection (RFC 9113 §6.8).
    @Test func aConnectionThatIsTakenOutOfService() async throws {
        let server = try server { connection, number in
            while let stream = try connection.nextRequest() {
                try connection.head(on: stream)
                try connection.goAway(after: stream)
                try connection.body("connection \(number)", on: stream)
            }
        }
        #expect(try await load(server).text == "connection 0")
        #expect(try await load(server).text == "connection 1")
        #expect(server.connectionCount == 2)
    }

    /// The server has not looked at the request: older versions of libcurl only know that there is no answer, so that
    /// another try is for the retry policy.
    @Test func aRequestThatCameTooLate() async throws {
        let server = try server { connection, number in
            guard let stream = try connection.nextRequest() else { return }
            if number == 0 {
                return try connection.goAway(after: 0)
            }
            try connection.head(on: stream)
            try connection.body("again", on: stream)
        }
        session.interceptors = [.retry(.exponential(limit: 1, base: .zero))]
        #expect(try await load(server).text == "again")
        #expect(server.connectionCount == 2)
    }

    /// A GOAWAY in the middle of an answer whose rest never comes.
    @Test func aBodyThatIsCutOff() async throws {
        let server = try server { connection, _ in
            guard let stream = try connection.nextRequest() else { return }
            try connection.head(on: stream)
            try connection.goAway(after: stream, error: 2)
            throw FaultConnection.Closed()
        }
        let error = await #expect(throws: HTTPError.self) { try await load(server) }
        #expect(["connection-lost", "body-too-short"].contains(error?.code))
    }
}
