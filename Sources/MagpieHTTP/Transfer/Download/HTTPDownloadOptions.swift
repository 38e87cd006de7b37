/// How a download treats its file and its answers.
public struct HTTPDownloadOptions: Sendable, Hashable {
    /// What happens where the destination exists already.
    public enum ExistingFile: Sendable, Hashable {
        /// It is replaced, in one step, once the download is complete.
        case overwrite
        /// It stays, and the download fails with `HTTPError.cannotWriteFile`.
        case fail
    }

    /// What happens where the destination exists already.
    public var existingFile: ExistingFile

    /// The statuses whose bodies are worth a file.
    ///
    /// Another ends the download with `HTTPError.unacceptableStatus`, and nothing is written.
    public var acceptableStatusCodes: Range<Int>

    /// How often a download goes on by itself after its connection was lost.
    ///
    /// It does so where the server names a validator (a strong `ETag`, or a `Last-Modified` that is strong enough), within
    /// the request's total time-out.
    public var continuationLimit: Int

    /// Whether the bytes are on the disk, and not only in the kernel's memory, before the file gets its name.
    public var synchronizes: Bool

    /// Makes options; the defaults suit most downloads.
    public init(
        existingFile: ExistingFile = .overwrite,
        acceptableStatusCodes: Range<Int> = 200..<300,
        continuationLimit: Int = 5,
        synchronizes: Bool = false
    ) {
        self.existingFile = existingFile
        self.acceptableStatusCodes = acceptableStatusCodes
        self.continuationLimit = continuationLimit
        self.synchronizes = synchronizes
    }
}
