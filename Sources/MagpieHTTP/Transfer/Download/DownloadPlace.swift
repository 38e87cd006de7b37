import Foundation

/// Where a download puts its bytes.
enum DownloadPlace: Sendable {
    /// Into a file.
    case file(URL)
    /// Into a file, beside which the partial file stays under a name that the next download knows.
    case resumableFile(URL)
    /// Into a file to which a partial file belongs that is there already.
    case continued(HTTPResumeData, URL)
    /// Where the caller says once the head of the answer is there.
    case chosen(@Sendable (HTTPResponse) -> URL?)

    /// Opens the file that is known before anything was asked for, and what is known of the bytes in it.
    ///
    /// Bytes of which nothing is known are dropped.
    func open(
        for request: HTTPRequest,
        options: HTTPDownloadOptions
    ) throws(HTTPError) -> (file: DownloadFile, resumeData: HTTPResumeData?)? {
        switch self {
        case .chosen: return nil
        case .file(let destination): return (try DownloadFile.create(for: destination, options: options), nil)
        case .resumableFile(let destination):
            let path = Self.partialPath(of: destination)
            let file = try DownloadFile.open(path, for: destination, options: options)
            var known = try? HTTPResumeData(contentsOf: Self.resumeDataFile(of: path))
            // What is known may come from anywhere; it has no say in which files are written.
            known?.partialFile = path
            return (file, try Self.check(known, file, request))
        case .continued(let resumeData, let destination):
            let file = try DownloadFile.open(resumeData.partialFile, for: destination, options: options)
            return (file, try Self.check(resumeData, file, request))
        }
    }

    /// Opens the file that is known now.
    func open(for response: HTTPResponse, options: HTTPDownloadOptions) throws(HTTPError) -> DownloadFile {
        guard case .chosen(let choose) = self, let destination = choose(response) else { throw .cancelled }
        return try DownloadFile.create(for: destination, options: options)
    }

    /// Whether the partial file stays for the next download, whatever happens to this one.
    var isResumable: Bool {
        switch self {
        case .file, .chosen: false
        case .resumableFile, .continued: true
        }
    }

    /// Where what is known of a partial file is kept.
    static func resumeDataFile(of partialPath: String) -> URL { URL(filePath: partialPath + ".json") }

    private static func partialPath(of destination: URL) -> String {
        destination.path(percentEncoded: false) + ".part"
    }

    /// Believes what is known only where it fits the request and the file.
    private static func check(
        _ resumeData: HTTPResumeData?,
        _ file: DownloadFile,
        _ request: HTTPRequest
    ) throws(HTTPError) -> HTTPResumeData? {
        if let resumeData, resumeData.url == request.url, request.method == .get, file.byteCount > 0,
            file.byteCount >= resumeData.byteCount, file.byteCount <= resumeData.expectedByteCount ?? .max
        {
            return resumeData
        }
        if file.byteCount > 0 { try file.empty() }
        return nil
    }
}
