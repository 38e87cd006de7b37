import Foundation

/// Undoes the content codings of a body (RFC 9110 §8.4), one piece at a time.
///
/// A few bytes may stand for gigabytes: what is decoded is asked for piece by piece, so that the caller can stop at any
/// time, and the memory stays bounded. The end of the body is checked, so that one that was cut off is not taken for a
/// whole one. Confined to one thread at a time.
final class ContentDecoder {
    /// What to send as `Accept-Encoding`.
    static let acceptedCodings = "gzip, deflate, br, zstd"

    private let name: String
    private let stream: any DecodingStream
    /// What undoes the coding that was applied after this one.
    private let outer: ContentDecoder?
    private var input = Data()
    private let output: UnsafeMutableRawBufferPointer
    /// Whether the last piece filled the output, so that the decoder may have more without more input.
    private var isFull = false
    private var isEmpty = true

    /// The largest piece that is handed over, in bytes.
    private static let pieceSize = 16 * 1024

    /// How many codings one body may have; more than one is rare already.
    private static let maximumCodings = 3

    /// The decoder for a body with this `Content-Encoding`, or `nil` where there is nothing to undo.
    ///
    /// - Throws: `HTTPError.undecodableBody` for codings that are not known.
    static func make(for field: String?) throws(HTTPError) -> ContentDecoder? {
        let names = (field ?? "").lowercased().split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && $0 != "identity" }
        guard names.count <= maximumCodings else { throw .undecodableBody(reason: "it has \(names.count) encodings") }
        var decoder: ContentDecoder?
        // The last in the list was applied last, and is undone first.
        for name in names.reversed() {
            guard let stream = stream(for: name) else { throw .undecodableBody(reason: "“\(name)” is not known here") }
            decoder = ContentDecoder(name: name, stream: stream, outer: decoder)
        }
        return decoder
    }

    private static func stream(for name: String) -> (any DecodingStream)? {
        switch name {
        case "gzip", "x-gzip": ZlibDecoder(isGzip: true)
        case "deflate": ZlibDecoder(isGzip: false)
        case "br": BrotliDecoder()
        case "zstd": ZstdDecoder()
        default: nil
        }
    }

    private init(name: String, stream: any DecodingStream, outer: ContentDecoder?) {
        self.name = name
        self.stream = stream
        self.outer = outer
        output = .allocate(byteCount: Self.pieceSize, alignment: 1)
    }

    deinit { output.deallocate() }

    /// Takes the next bytes as they came; to be called once `next` has nothing more.
    func feed(_ bytes: Data) {
        if let outer { outer.feed(bytes) } else { input = bytes }
    }

    /// The next piece of what was fed, never empty; `nil` where there is nothing more for now.
    func next() throws(HTTPError) -> Data? {
        while true {
            if input.isEmpty, !isFull {
                guard let more = try outer?.next() else { return nil }
                input = more
            }
            if !input.isEmpty { isEmpty = false }
            var left = 0
            let count = input.withUnsafeBytes { bytes -> Int? in
                var bytes = bytes
                defer { left = bytes.count }
                return stream.decode(&bytes, into: output)
            }
            guard let count, count > 0 || left < input.count || input.isEmpty else {
                throw .undecodableBody(reason: "it is not valid \(name)")
            }
            input = left == 0 ? Data() : input.suffix(left)
            isFull = count == output.count
            if count > 0 { return Data(output[..<count]) }
        }
    }

    /// Checks that the body, which has come to its end, was a whole one.
    ///
    /// A body without a byte is one too: servers send them with whatever fields.
    func finish() throws(HTTPError) {
        try outer?.finish()
        guard isEmpty || stream.isComplete else { throw .undecodableBody(reason: "the \(name) data ends early") }
    }
}
