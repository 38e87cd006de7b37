public import Foundation
import MagpieConcurrency

/// Decodes one picture of whatever format while its bytes arrive; made by ``ImageCoders/incrementalDecoder(options:)``.
///
/// Safe to use from any thread. The bytes are collected until it is clear which coder wants them, and go to that coder's
/// ``ImageCoder/incrementalDecoder(options:)`` from then on. Where it has none they are collected to the end.
public final class IncrementalDecoder: IncrementalImageDecoder {
    /// The coder is asked for when there are so many bytes.
    ///
    /// All signatures lie within them, so that the coder is the one that the whole file would get.
    private static let signatureBytes = 64

    private enum State {
        /// No coder has been found yet.
        case collecting(Data)
        /// The coder works as the bytes come.
        case decoding(any IncrementalImageDecoder)
        /// The coder needs all bytes.
        case waiting(any ImageCoder, Data)
    }

    private let coders: ImageCoders
    private let options: ImageDecodeOptions
    private let state = Lock(State.collecting(Data()))

    init(coders: ImageCoders, options: ImageDecodeOptions) {
        self.coders = coders
        self.options = options
    }

    /// The header, as soon as it has come; nil to the end with a coder that needs the whole file.
    public var info: ImageInfo? {
        state.withLock { state in
            if case .decoding(let decoder) = state { decoder.info } else { nil }
        }
    }

    /// Takes the bytes that follow those before.
    ///
    /// Bytes that no coder wants so far are kept: ``finish()`` tells what is wrong with them.
    public func append(_ bytes: Data) throws(ImageCodingError) {
        try state.withLock { (state) throws(ImageCodingError) in
            switch state {
            case .collecting(var data):
                state = .collecting(Data())
                data.append(bytes)
                state = .collecting(data)
                if data.count >= Self.signatureBytes { try choose(data, &state) }
            case .decoding(let decoder):
                try decoder.append(bytes)
            case .waiting(let coder, var data):
                state = .collecting(Data())
                data.append(bytes)
                state = .waiting(coder, data)
            }
        }
    }

    /// The best picture that the bytes so far give; nil where there is none, or nothing new since the last time.
    public func preview() throws(ImageCodingError) -> DecodedImage? {
        try state.withLock { (state) throws(ImageCodingError) in
            guard case .decoding(let decoder) = state else { return nil }
            return try decoder.preview()
        }
    }

    /// Ends the file: the picture, the very same that ``ImageCoders/decode(_:options:)`` makes of all bytes at once.
    public func finish() throws(ImageCodingError) -> DecodedImage {
        try state.withLock { (state) throws(ImageCodingError) in
            var image =
                switch state {
                case .collecting(let data): try coders.decode(data, options: options)
                case .decoding(let decoder): try decoder.finish()
                case .waiting(let coder, let data): try coder.decode(data, options: options)
                }
            image.scale = options.scale
            return image
        }
    }

    /// Finds the coder, if there is one for these bytes.
    private func choose(_ data: Data, _ state: inout State) throws(ImageCodingError) {
        // An SVG may begin with pages of comments: the bytes are looked at again, though not at every one that comes.
        guard let coder = coders.coders.last(where: { $0.canDecode(data) }) else { return }
        guard let decoder = coder.incrementalDecoder(options: options) else {
            state = .waiting(coder, data)
            return
        }
        state = .decoding(decoder)
        try decoder.append(data)
    }
}
