import Foundation

/// Checks what a head says about the end of its body before anybody believes it (RFC 9112 §6.3).
///
/// Who reads an ambiguous head another way than the machines between here and the server takes a part of one answer for
/// the next. libcurl looks over such heads, so they are refused here:
/// - lengths that are no plain number, or differ; the same length said twice is one (RFC 9110 §8.6);
/// - a length beside a transfer coding;
/// - transfer codings other than `chunked`, which nobody asked for, and any in HTTP/1.0 (RFC 9112 §6.1).
enum ResponseFraming {
    /// What is wrong with the head, or `nil`.
    static func problem(in response: HTTPResponse) -> String? {
        let lengths = response.headerFields[values: .contentLength]
        let codings = response.headerFields[values: .transferEncoding]
        if !lengths.isEmpty {
            let numbers = lengths.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map(number)
            guard let first = numbers.first, let first, numbers.allSatisfy({ $0 == first }) else {
                return "contradicting or impossible lengths: \(lengths.joined(separator: ", "))"
            }
            if !codings.isEmpty { return "both a length and a transfer coding" }
        }
        guard let coding = codings.first else { return nil }
        guard response.version == .http1_1, codings.count == 1, coding.lowercased() == "chunked" else {
            return "an unexpected transfer coding: \(codings.joined(separator: ", "))"
        }
        return nil
    }

    /// Whether a body follows the head of an answer to a request with this method (RFC 9112 §6.3).
    static func hasBody(_ response: HTTPResponse, to method: HTTPRequest.Method) -> Bool {
        method != .head && response.status.code != 204 && response.status.code != 304
    }

    private static func number(_ text: Substring) -> Int64? {
        let digits = text.drop { $0 == " " || $0 == "\t" }
        let isPlain = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isPlain ? Int64(digits) : nil
    }
}
