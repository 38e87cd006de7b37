public import Foundation

/// A download that is done: the head of the answer, and the file that holds its body.
public struct HTTPDownloadResponse: Sendable {
    /// The head of the last answer, after redirects: that of the rest (206) where a download was continued.
    public let response: HTTPResponse

    /// Where the body is.
    public let file: URL

    /// The length of the file in bytes.
    public let byteCount: Int64

    /// How many of the bytes were there before this download began.
    public let resumedByteCount: Int64

    /// How often the download went on after its connection was lost.
    public let continuationCount: Int

    /// What the last exchange cost.
    public let metrics: HTTPTaskMetrics

    /// The status of the last answer.
    public var status: HTTPResponse.Status { response.status }
}
