import Foundation
import MagpieConcurrency

/// Makes an incremental decoder of a coder's ``PictureStream``: keeps the bytes that are not used up yet, and the error.
final class StreamDecoder<Stream: PictureStream>: IncrementalImageDecoder {
    private struct State {
        var stream: Stream
        var unused = Data()
        var isEmpty = true
        var failure: ImageCodingError?
    }

    private let state: Lock<State>

    init(_ stream: sending Stream) {
        state = Lock(State(stream: stream))
    }

    var info: ImageInfo? {
        state.withLock { $0.stream.info }
    }

    func append(_ bytes: Data) throws(ImageCodingError) {
        try run { (state) throws(ImageCodingError) in
            guard !bytes.isEmpty else { return }
            state.isEmpty = false
            if state.unused.isEmpty {
                let used = try Self.read(bytes, with: &state.stream)
                state.unused = Data(bytes.dropFirst(used))
            } else {
                state.unused.append(bytes)
                let used = try Self.read(state.unused, with: &state.stream)
                if used > 0 { state.unused = Data(state.unused.dropFirst(used)) }
            }
        }
    }

    func preview() throws(ImageCodingError) -> DecodedImage? {
        try run { (state) throws(ImageCodingError) in try state.stream.preview() }
    }

    func finish() throws(ImageCodingError) -> DecodedImage {
        try run { (state) throws(ImageCodingError) in
            if state.isEmpty { throw .empty }
            return try state.unused.withBytes { (bytes) throws(ImageCodingError) in
                try state.stream.finish(bytes)
            }
        }
    }

    private static func read(_ bytes: Data, with stream: inout Stream) throws(ImageCodingError) -> Int {
        try bytes.withBytes { (bytes) throws(ImageCodingError) in try stream.read(bytes) }
    }

    /// Throws the first error again, and keeps it.
    private func run<R>(_ body: (inout State) throws(ImageCodingError) -> R) throws(ImageCodingError) -> R {
        try state.withLock { (state) throws(ImageCodingError) in
            if let failure = state.failure { throw failure }
            do throws(ImageCodingError) {
                return try body(&state)
            } catch {
                state.failure = error
                throw error
            }
        }
    }
}
