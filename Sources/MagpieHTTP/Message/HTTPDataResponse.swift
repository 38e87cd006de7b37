public import Foundation

/// An answer with its whole body.
public struct HTTPDataResponse: Sendable {
    /// The head.
    public let response: HTTPResponse

    /// The body, decoded where the session does so.
    public let body: Data

    /// What it cost.
    public let metrics: HTTPTaskMetrics

    /// Makes an answer.
    public init(response: HTTPResponse, body: Data, metrics: HTTPTaskMetrics) {
        self.response = response
        self.body = body
        self.metrics = metrics
    }

    /// The status of the answer.
    public var status: HTTPResponse.Status { response.status }

    /// The fields of the answer.
    public var headerFields: HTTPFields { response.headerFields }

    /// The body as UTF-8 text, or `nil` where it is none.
    public var text: String? { String(validating: body, as: UTF8.self) }
}
