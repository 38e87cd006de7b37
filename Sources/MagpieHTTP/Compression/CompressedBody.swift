import Foundation

/// A body that is compressed while it is sent, on a worker's thread.
final class CompressedBody: HTTPBodySource {
    private let body: HTTPRequestBody
    private let coding: HTTPContentCoding

    init(_ body: HTTPRequestBody, coding: HTTPContentCoding) {
        self.body = body
        self.coding = coding
    }

    /// Not known before all is compressed.
    var count: Int64? { nil }

    var isRepeatable: Bool { body.isRepeatable }

    func makeReader() throws(HTTPError) -> any HTTPBodyReader {
        guard let deflater = Deflater(coding) else { throw .unreadableBody(reason: "no memory to compress it") }
        return CompressedBodyReader(try body.source?.makeReader(), data: body.data ?? Data(), deflater: deflater)
    }
}
