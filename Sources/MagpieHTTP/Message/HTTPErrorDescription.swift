public import Foundation

extension HTTPError: CustomStringConvertible, LocalizedError {
    /// One sentence: what was wrong and what to do.
    public var description: String {
        switch self {
        case .invalidURL(let text):
            "“\(text)” is not an absolute web address; write it as https://host/path"
        case .unsupportedScheme(let scheme, _):
            "“\(scheme)” addresses are not loaded; use http or https"
        case .cancelled:
            "the request was cancelled"
        case .sessionInvalidated:
            "the session was invalidated; make the request in another session"
        case .unsupportedFeature(let feature):
            "\(feature) is not part of the libcurl in use; install one that has it, or do without"
        case .notInCache:
            "nothing usable is in the cache; load it from the network with another cache policy"
        case .cookieFile(let file, let reason):
            "the cookies cannot be kept in \(file) (\(reason)); name a file that can be read and written"
        case .connectionRefused, .cannotConnect, .unknownHost, .timedOut, .connectionLost, .proxyFailed,
            .proxyAuthenticationRequired, .tooManyOpenFiles:
            connectionDescription
        case .untrustedCertificate, .clientCertificateRefused, .pinnedHostWithoutTLS, .secureConnectionFailed,
            .unreadableCertificateFile:
            securityDescription
        case .tooManyRedirects, .badRedirect:
            redirectDescription
        case .cannotWriteFile(let path, let reason):
            "\(path) cannot be written (\(reason)); make room or choose another place"
        case .bodyTooShort, .responseTooLarge, .headerTooLarge, .tooManyHeaderFields, .undecodableBody, .unreadableBody,
            .malformedResponse, .transport:
            answerDescription
        case .unserializableRequest, .unacceptableStatus, .unacceptableContentType, .undecodableContent,
            .contentMismatch,
            .lineTooLong:
            contentDescription
        }
    }

    /// The same sentence as `description`.
    public var errorDescription: String? { description }

    private var connectionDescription: String {
        switch self {
        case .unknownHost(let host):
            "no address is known for the host “\(host)”; check its spelling and the network"
        case .connectionRefused(let host, let port):
            "nothing answers on port \(port) of \(host); check the address and that the server runs"
        case .cannotConnect(let host, let port, let reason):
            "cannot connect to port \(port) of \(host) (\(reason)); check the address and the network"
        case .proxyFailed(let reason):
            "the proxy does not lead to the server (\(reason)); check its address, the name and the password"
        case .proxyAuthenticationRequired:
            "the proxy wants a name and a password, or others than it got; give it those that it knows"
        case .tooManyOpenFiles:
            "the process has too many files and connections open; close some, or raise the limit (ulimit -n)"
        case .timedOut(.connect, let limit):
            "no connection within \(limit.spelled); check the network or allow more time"
        case .timedOut(.idle, let limit):
            "the server sent nothing for \(limit.spelled); try again or allow more time"
        case .timedOut(.total, let limit):
            "not done within \(limit.spelled); try again or allow more time"
        case .connectionLost(let reason):
            "the connection was lost before the answer was complete (\(reason)); try again"
        default: code
        }
    }

    private var securityDescription: String {
        switch self {
        case .untrustedCertificate(let host, let problem):
            problem.sentence(about: "the certificate of \(host)", host: host)
        case .clientCertificateRefused(let host, true):
            "\(host) does not accept the client certificate that it was shown; use one that it knows"
        case .clientCertificateRefused(let host, false):
            "\(host) wants a client certificate; give one that it knows"
        case .pinnedHostWithoutTLS(let host):
            "certificates are pinned for \(host), and without TLS it shows none; use an https address"
        case .secureConnectionFailed(let host, let reason):
            "no secure connection to \(host) (\(reason)); check that the port speaks TLS"
        case .unreadableCertificateFile(let file):
            "no certificates or keys can be read from \(file); give a readable file, and the passphrase where it has one"
        default: code
        }
    }

    private var redirectDescription: String {
        switch self {
        case .tooManyRedirects(let limit):
            "more than \(limit) redirects; the server may be sending the request in a circle"
        case .badRedirect(let location, let source):
            "\(source.absoluteString) redirects to “\(location)”, which is no http or https address"
        default: code
        }
    }

    private var contentDescription: String {
        switch self {
        case .unserializableRequest(let reason):
            "the request cannot be written (\(reason))"
        case .unacceptableStatus(let response, _):
            "the server answered \(response.status); check the address and what was sent"
        case .unacceptableContentType(let type?, _, _):
            "the server answered with \(type), which was not asked for; check the address, or accept that type"
        case .unacceptableContentType(nil, _, _):
            "the server does not say what type its answer has; accept any type to read it"
        case .undecodableContent(let reason, _, _):
            "the answer cannot be decoded (\(reason)); check what the server sends"
        case .contentMismatch(let reason):
            "what arrived is not what the server announced (\(reason)); load it again"
        case .lineTooLong(let limit):
            "a line is longer than the limit of \(limit) bytes; raise the limit, or check that this is a text"
        default: code
        }
    }

    private var answerDescription: String {
        switch self {
        case .bodyTooShort(let received, let expected?):
            "the body ended after \(received) of \(expected) bytes; try again"
        case .bodyTooShort(let received, nil):
            "the body broke off after \(received) bytes; try again"
        case .responseTooLarge(let limit):
            "the body is longer than the limit of \(limit) bytes; raise the limit to load it"
        case .headerTooLarge(let limit):
            "the header section of the answer is longer than the limit of \(limit) bytes; the server is at fault"
        case .tooManyHeaderFields(let limit):
            "the answer has more than \(limit) header fields; the server is at fault"
        case .undecodableBody(let reason):
            "the body is not in the encoding that the server announced (\(reason)); ask for it uncompressed"
        case .unreadableBody(let reason):
            "the content to send cannot be read (\(reason))"
        case .malformedResponse(let reason):
            "the answer is not valid HTTP (\(reason)); check that the port belongs to a web server"
        case .transport(let number, let message):
            "the transfer failed (\(message), number \(number))"
        default: code
        }
    }
}

extension HTTPError.CertificateProblem {
    /// One sentence about a certificate, the `subject`, that was shown in the name of `host`.
    fileprivate func sentence(about subject: String, host: String) -> String {
        switch self {
        case .expired(let date):
            "\(subject) expired\(date.map { " on \($0)" } ?? ""); its owner has to renew it"
        case .notYetValid(let date):
            "\(subject) is not valid \(date.map { "before \($0)" } ?? "yet"); check this machine's clock"
        case .selfSigned:
            "\(subject) is self-signed; add it to the trusted authorities to accept it"
        case .unknownAuthority:
            "\(subject) comes from no trusted authority; add its authority to accept it"
        case .wrongHost:
            "the certificate was made for other hosts than \(host); check the address"
        case .pinMismatch:
            "\(subject) has no pinned key or issuer; check the pins, or who answers in the host's name"
        case .revoked:
            "\(subject) was revoked; its owner has to replace it"
        case .wrongPurpose:
            "\(subject) was not made for its purpose; its owner has to replace it"
        case .unconfirmedStatus:
            "\(subject) came without an authority's word that it was not revoked; do without asking for it"
        case .issuer(let name, let problem):
            problem.sentence(
                about: "the certificate of the authority “\(name)”, which vouches for \(host),",
                host: host
            )
        case .other(let reason):
            "\(subject) was not accepted (\(reason))"
        }
    }
}

extension Duration {
    /// The duration in seconds as people write it: `10 s`, `0.25 s`.
    fileprivate var spelled: String {
        let milliseconds = components.seconds &* 1000 &+ components.attoseconds / 1_000_000_000_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
    }
}
