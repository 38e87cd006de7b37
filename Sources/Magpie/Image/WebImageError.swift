public import Foundation
public import MagpieHTTP
public import MagpieImage

/// Why a picture could not be loaded.
///
/// `description` is one sentence that says what was wrong and what to do about it; it does not repeat the address,
/// which the caller knows.
public enum WebImageError: Error, Sendable {
    /// The text is no address of a picture.
    case invalidURL(String)

    /// The request did not get through: no such host, a refused certificate, a time-out, a cut connection.
    case download(HTTPError)

    /// The server answered with a status that the downloader does not accept (by default any but 200 to 299).
    case unacceptableStatus(HTTPResponse.Status)

    /// The server answered with success and no bytes at all.
    case emptyBody

    /// The bytes are no picture, or a damaged one; `contentType` is what the server called them.
    case undecodable(ImageCodingError, contentType: String?)

    /// A transformer refused the picture.
    case transformFailed(key: String, ImageCodingError)

    /// The picture is in no cache, and the load was told not to ask the network.
    case notCached

    /// The load was cancelled.
    case cancelled
}

extension WebImageError {
    /// A stable, lower-case word for the kind of failure, for logs and scripts; the words of `HTTPError.code` and
    /// `ImageCodingError.code` are passed on.
    public var code: String {
        switch self {
        case .invalidURL: "invalid-url"
        case .download(let error): error.code
        case .unacceptableStatus: "unacceptable-status"
        case .emptyBody: "empty-body"
        case .undecodable(let error, _): error.code
        case .transformFailed: "transform-failed"
        case .notCached: "not-cached"
        case .cancelled: "cancelled"
        }
    }
}

extension WebImageError: CustomStringConvertible {
    /// What was wrong and what to do, in one sentence without a full stop.
    public var description: String {
        switch self {
        case .invalidURL(let text):
            "\"\(text)\" is not a web address; one starts with http:// or https://"
        case .download(let error):
            error.description
        case .unacceptableStatus(let status):
            "the server answered \(Self.name(of: status)); \(Self.advice(for: status))"
        case .emptyBody:
            "the server answered with an empty body; check the address"
        case .undecodable(let error, let contentType):
            if case .unknownFormat = error, let contentType {
                "\(error.description) (the server calls it \(contentType))"
            } else {
                error.description
            }
        case .transformFailed(let key, let error):
            "the transformer \(key) failed: \(error.description)"
        case .notCached:
            "the picture is in no cache, and the network was not to be asked"
        case .cancelled:
            "the load was cancelled"
        }
    }

    private static func name(of status: HTTPResponse.Status) -> String {
        status.reasonPhrase.isEmpty ? "\(status.code)" : "\(status.code) \(status.reasonPhrase)"
    }

    private static func advice(for status: HTTPResponse.Status) -> String {
        switch status.code {
        case 401, 407: "it asks for a user name and a password"
        case 403: "it does not allow this picture to be fetched"
        case 429: "it asks for fewer requests; try again later"
        case 400..<500: "check the address"
        case 500..<600: "the fault is the server's; try again later"
        default: "that is not a picture"
        }
    }
}

extension WebImageError: LocalizedError {
    /// The same sentence as `description`.
    public var errorDescription: String? { description }
}
