/// What an answer means for a download of which some bytes may be here already.
enum DownloadPlan: Equatable {
    /// The body is the whole from its first byte on; what is here is replaced.
    case start
    /// The body goes on where the bytes that are here end; with the length of the whole.
    case append(total: Int64)
    /// The bytes that are here are the whole.
    case complete
    /// The bytes that are here are not of what the server has, or cannot be joined with it: ask for the whole.
    case restart(reason: String)
    /// The answer's body is not what was asked for.
    case refuse

    /// Decides.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - offset: How many bytes are here; the request asked for those behind them, where there are any.
    ///   - resumeData: What is known of the version whose bytes are here.
    ///   - acceptable: The statuses that are answers to a request for the whole.
    ///   - isRangeWanted: Whether the caller's own request is for a part, which is then the whole of the download.
    init(
        for response: HTTPResponse,
        offset: Int64,
        resumeData: HTTPResumeData?,
        acceptable: Range<Int>,
        isRangeWanted: Bool
    ) {
        let isPart = response.status == .partialContent
        if let resumeData, offset > 0, isPart || response.status == 416 {
            self = Self.join(response, offset: offset, resumeData: resumeData)
        } else if acceptable.contains(response.status.code), !isPart || isRangeWanted {
            self = .start
        } else {
            self = .refuse
        }
    }

    private static func join(_ response: HTTPResponse, offset: Int64, resumeData: HTTPResumeData) -> DownloadPlan {
        let type = response.headerFields[.contentType]?.lowercased() ?? ""
        if type.hasPrefix("multipart/byteranges") { return .restart(reason: "several ranges instead of one") }
        guard let range = response.headerFields[.contentRange].flatMap(ContentRange.init) else {
            return .restart(reason: "no valid Content-Range")
        }
        if resumeData.validator.isContradicted(by: response) { return .restart(reason: "it has changed") }
        guard let total = range.total, resumeData.expectedByteCount.map({ $0 == total }) ?? true else {
            return .restart(reason: "its length has changed")
        }
        guard let part = range.range else {
            return total == offset ? .complete : .restart(reason: "the range cannot be had")
        }
        if response.isEncoded { return .restart(reason: "the rest came compressed") }
        guard response.status == .partialContent, part.lowerBound == offset, part.upperBound == total - 1 else {
            return .restart(reason: "another range than asked for")
        }
        return .append(total: total)
    }
}

extension HTTPResponse {
    /// Whether the body on the wire is compressed or encoded otherwise.
    var isEncoded: Bool {
        guard let encoding = headerFields[.contentEncoding]?.lowercased() else { return false }
        return encoding != "identity"
    }
}
