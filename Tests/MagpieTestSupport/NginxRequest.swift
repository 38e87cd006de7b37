/// A line of nginx's access log.
public struct NginxRequest: Sendable, Hashable {
    /// The number of the connection.
    public let connection: Int
    /// The method.
    public let method: String
    /// The target: path and query.
    public let target: String
    /// The status of the answer.
    public let status: Int
    /// The bytes of the body that were sent.
    public let bytesSent: Int
    /// The version, as in `HTTP/2.0`.
    public let version: String

    /// How nginx writes the lines.
    static let format = #"$connection $request_method $request_uri $status $body_bytes_sent $server_protocol"#

    static func parse(_ log: String) -> [NginxRequest] {
        log.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 6, let connection = Int(words[0]), let status = Int(words[3]),
                let bytes = Int(words[4])
            else { return nil }
            return NginxRequest(
                connection: connection,
                method: words[1],
                target: words[2],
                status: status,
                bytesSent: bytes,
                version: words[5]
            )
        }
    }
}
