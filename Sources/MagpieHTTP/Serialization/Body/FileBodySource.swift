import Foundation

/// A file as content of a request.
final class FileBodySource: HTTPBodySource {
    private let path: String
    private let length: Int64

    var count: Int64? { length }
    var isRepeatable: Bool { true }

    /// Looks at the file; its length is fixed from now on.
    init(_ url: URL) throws(HTTPError) {
        path = url.path(percentEncoded: false)
        guard url.isFileURL else { throw .unreadableBody(reason: "\(url.absoluteString) is not the address of a file") }
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unreadable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadableBody(reason: "\(path) is not a regular file")
        }
        guard access(path, R_OK) == 0 else { throw .unreadable(path, errno) }
        length = Int64(status.st_size)
    }

    func makeReader() throws(HTTPError) -> any HTTPBodyReader { FileBodyReader(path: path, count: length) }
}

extension HTTPError {
    /// A file that the system would not read.
    static func unreadable(_ path: String, _ code: CInt) -> Self {
        .unreadableBody(reason: "\(path): \(String(cString: strerror(code)))")
    }
}
