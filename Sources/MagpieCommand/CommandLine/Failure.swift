import Foundation
import Magpie
import MagpieHTTP
import MagpieImage

/// Why one input failed: a stable word for scripts, and a sentence for people with the option that would help.
struct Failure: Error, Encodable {
    let code: String
    let message: String

    init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: WebImageError) {
        code = error.code
        message = error.description + (Self.advice(for: error).map { "; \($0)" } ?? "")
    }

    init(_ error: ImageCodingError) {
        code = error.code
        message = error.description + (Self.advice(for: error).map { "; \($0)" } ?? "")
    }

    init(_ error: HTTPError) {
        code = error.code
        message = error.description + (Self.advice(for: error).map { "; \($0)" } ?? "")
    }

    /// A failed call to the system, by `errno`.
    init(system action: String, _ number: Int32) {
        code = "system"
        message = "\(action): \(String(cString: strerror(number)))"
    }

    /// Runs what loads a picture, and tells its failure as one of the command's.
    static func wrapping<Value>(
        loading body: () async throws(WebImageError) -> Value
    ) async throws(Failure) -> Value {
        do throws(WebImageError) {
            return try await body()
        } catch {
            throw Failure(error)
        }
    }

    /// Runs what reads or writes pixels, and tells its failure as one of the command's.
    static func wrapping<Value: ~Copyable>(
        coding body: () throws(ImageCodingError) -> Value
    ) throws(Failure) -> Value {
        do throws(ImageCodingError) {
            return try body()
        } catch {
            throw Failure(error)
        }
    }

    private static func advice(for error: WebImageError) -> String? {
        switch error {
        case .undecodable(let error, _), .transformFailed(_, let error): advice(for: error)
        // Pins are asked for even so.
        case .download(.untrustedCertificate(_, .pinMismatch)): nil
        case .download(let error): advice(for: error)
        case .unacceptableStatus(let status) where status.code == 401: "pass them with --user"
        case .notCached: "leave out --cache-only to fetch it"
        default: nil
        }
    }

    private static func advice(for error: HTTPError) -> String? {
        switch error {
        case .untrustedCertificate: "--insecure would accept it"
        case .timedOut: "--timeout sets how long to wait"
        default: nil
        }
    }

    private static func advice(for error: ImageCodingError) -> String? {
        if case .tooLarge = error { "raise it with --max-pixels" } else { nil }
    }
}
