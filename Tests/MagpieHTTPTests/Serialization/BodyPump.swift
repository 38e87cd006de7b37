import Foundation
import MagpieHTTP

/// Takes what a body gives, as a transport does.
enum BodyPump {
    /// All the bytes of the body, read into `room` bytes at a time.
    static func bytes(of body: HTTPRequestBody, room: Int = 1000) async throws(HTTPError) -> Data {
        var bytes = Data()
        try await read(body, room: room) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Gives each piece of the body to `receive`.
    static func read(
        _ body: HTTPRequestBody,
        room: Int,
        receive: (UnsafeRawBufferPointer) -> Void
    ) async throws(HTTPError) {
        guard let source = body.source else { return (body.data ?? Data()).withUnsafeBytes(receive) }
        let reader = try source.makeReader()
        let (signals, ready) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        var iterator = signals.makeAsyncIterator()
        reader.open { ready.yield() }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
        defer {
            reader.close()
            buffer.deallocate()
        }
        while true {
            switch reader.read(into: buffer) {
            case .bytes(let count): receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            case .wait: await iterator.next()
            case .end: return
            case .failed(let error): throw error
            }
        }
    }
}
