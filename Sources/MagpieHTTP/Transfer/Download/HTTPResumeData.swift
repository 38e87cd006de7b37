public import Foundation

/// What is needed to go on with a download, also in another process or after a restart.
///
/// It names the partial file and the version of the resource whose first bytes are in it. A download with `resuming: true`
/// keeps it in a file beside its partial file; `HTTPDownloadTask.cancel(producingResumeData:)` hands it over.
public struct HTTPResumeData: Sendable, Hashable, Codable {
    /// The address that was asked for.
    public let url: URL

    /// What tells the version from others.
    public let validator: HTTPValidator

    /// The length of the whole in bytes, where the server said.
    public let expectedByteCount: Int64?

    /// How many bytes are in the partial file; more may be there where the process was killed.
    public internal(set) var byteCount: Int64

    /// The path of the partial file.
    public internal(set) var partialFile: String

    /// When this was noted.
    public internal(set) var date: Date

    /// A file of this kind holds less; a larger one is none.
    private static let maximumFileSize = 64 * 1024

    /// Notes that the body of an answer can be continued, or returns nothing where it cannot.
    init?(of response: HTTPResponse, to request: HTTPRequest, partialFile: String) {
        guard request.method == .get, response.status == .ok, !response.isEncoded,
            response.headerFields[.acceptRanges]?.lowercased() != "none", let validator = HTTPValidator(of: response)
        else { return nil }
        url = request.url
        self.validator = validator
        expectedByteCount = response.contentLength
        byteCount = 0
        self.partialFile = partialFile
        date = Date()
    }

    /// Reads what `write(to:)` wrote.
    ///
    /// - Throws: An error of Foundation where the file cannot be read or is none of this kind.
    public init(contentsOf file: URL) throws {
        // A pipe in the file's place must not block the opening.
        let descriptor = open(file.path(percentEncoded: false), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try self.init(data: handle.read(upToCount: Self.maximumFileSize) ?? Data())
    }

    /// Takes the form that `data` gives.
    ///
    /// - Throws: `DecodingError` where the data is none.
    public init(data: Data) throws {
        self = try JSONDecoder().decode(Self.self, from: data)
    }

    /// The value as JSON.
    public var data: Data {
        get throws { try JSONEncoder().encode(self) }
    }

    /// Writes the value into a file that only its owner may read: the address may hold a secret.
    public func write(to file: URL) throws {
        try PrivateFile.write(data, to: file.path(percentEncoded: false))
    }
}
