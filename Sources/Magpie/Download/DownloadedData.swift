public import Foundation
public import MagpieHTTP

/// The bytes of a picture as a server sent them.
public struct DownloadedData: Sendable {
    /// The body of the answer, decompressed if it was compressed for the transfer.
    public var data: Data

    /// The answer's status and fields.
    public var response: HTTPResponse

    /// How long each step of the download took.
    public var metrics: HTTPTaskMetrics
}
