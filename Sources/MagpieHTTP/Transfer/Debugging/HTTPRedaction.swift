import Foundation

/// What must not be seen in a log: the values of certain header fields, and of certain parameters in addresses.
public struct HTTPRedaction: Sendable, Hashable {
    /// The fields whose values are hidden.
    public var fieldNames: Set<HTTPField.Name>

    /// The parameters of queries and fragments whose values are hidden, in lower case.
    public var parameterNames: Set<String>

    /// Makes a rule.
    public init(fieldNames: Set<HTTPField.Name>, parameterNames: Set<String>) {
        self.fieldNames = fieldNames
        self.parameterNames = parameterNames
    }

    /// Hides what is known to carry passwords, tokens, cookies and signatures.
    public static let standard = Self(
        fieldNames: Set(
            [
                "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "Authentication-Info",
                "Proxy-Authentication-Info", "X-Api-Key", "Api-Key", "X-Auth-Token", "X-Access-Token", "X-CSRF-Token",
                "X-XSRF-Token", "X-Amz-Security-Token",
            ]
            .compactMap { HTTPField.Name($0) }
        ),
        parameterNames: [
            "access_token", "refresh_token", "id_token", "token", "auth", "api_key", "apikey", "api-key", "key", "code",
            "secret", "client_secret", "password", "passwd", "pwd", "pass", "sig", "signature", "session", "sessionid",
            "x-amz-signature", "x-amz-credential", "x-amz-security-token", "x-goog-signature", "x-goog-credential",
        ]
    )

    /// Hides nothing.
    public static let none = Self(fieldNames: [], parameterNames: [])

    /// What stands for what is hidden.
    static let mark = "***"

    /// The fields, with secrets hidden; of `Authorization` the scheme is left.
    func fields(_ fields: HTTPFields) -> HTTPFields {
        HTTPFields(
            fields.map { field in
                let value = fieldNames.contains(field.name) ? hidden(field) : text(field.value)
                return HTTPField(name: field.name, value: value)
            }
        )
    }

    /// An address, with the password and the secret parameters hidden.
    ///
    /// It is for people: the marks make it no address any more.
    func address(_ url: URL) -> String { address(url.absoluteString[...]) }

    /// A text, with the secrets of the addresses in it hidden.
    func text(_ text: String) -> String {
        guard text.contains("://") || text.contains("?") else { return text }
        return text.split(separator: " ", omittingEmptySubsequences: false).map(address).joined(separator: " ")
    }

    /// The text of a body, with the secret parameters hidden; `nil` where it cannot be told what they are.
    func body(_ text: String, _ contentType: String?) -> String? {
        guard !parameterNames.isEmpty else { return text }
        let type = contentType?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        switch type {
        case nil, "text/plain", "application/x-www-form-urlencoded":
            return text.split(separator: "&", omittingEmptySubsequences: false).map(parameter).joined(separator: "&")
        case let type? where type == "application/json" || type.hasSuffix("+json"): return json(text)
        default: return nil
        }
    }

    private func json(_ text: String) -> String? {
        let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        guard let value else { return nil }
        var isSecret = false
        let shown = withoutSecrets(value, isSecret: &isSecret)
        guard isSecret else { return text }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let data = try? JSONSerialization.data(withJSONObject: shown, options: options)
        return data.map { String(decoding: $0, as: UTF8.self) }
    }

    private func withoutSecrets(_ value: Any, isSecret: inout Bool) -> Any {
        if let list = value as? [Any] { return list.map { withoutSecrets($0, isSecret: &isSecret) } }
        guard var object = value as? [String: Any] else { return value }
        for (name, value) in object {
            if parameterNames.contains(name.lowercased()) {
                object[name] = Self.mark
                isSecret = true
            } else {
                object[name] = withoutSecrets(value, isSecret: &isSecret)
            }
        }
        return object
    }

    private func hidden(_ field: HTTPField) -> String {
        let words = field.value.split(separator: " ", maxSplits: 1)
        let hasScheme = field.name == .authorization || field.name == .proxyAuthorization
        return hasScheme && words.count == 2 ? "\(words[0]) \(Self.mark)" : Self.mark
    }

    private func address(_ text: Substring) -> String {
        guard self != .none else { return String(text) }
        let base = text.prefix { $0 != "?" && $0 != "#" }
        var result = withoutPassword(base)
        var rest = text[base.endIndex...]
        while let mark = rest.first {
            let part = rest.dropFirst().prefix { $0 != "#" }
            let pairs = part.split(separator: "&", omittingEmptySubsequences: false).map(parameter)
            result += "\(mark)\(pairs.joined(separator: "&"))"
            rest = rest[part.endIndex...]
        }
        return result
    }

    private func parameter(_ pair: Substring) -> String {
        let name = pair.prefix { $0 != "=" }
        guard name.endIndex < pair.endIndex else { return String(pair) }
        let plain = String(name).removingPercentEncoding ?? String(name)
        // Of `user[password]` the last part says what it is.
        let last = plain.split { $0 == "[" || $0 == "]" }.last.map(String.init) ?? plain
        return parameterNames.contains(last.lowercased()) ? "\(name)=\(Self.mark)" : String(pair)
    }

    private func withoutPassword(_ base: Substring) -> String {
        guard let start = base.range(of: "://")?.upperBound else { return String(base) }
        let authority = base[start...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(base) }
        return "\(base[..<start])\(Self.mark)\(base[at...])"
    }
}

extension HTTPFields {
    /// The fields as they may be shown in a log: passwords, tokens and cookies are replaced by `***`.
    public func redacted(by redaction: HTTPRedaction = .standard) -> HTTPFields { redaction.fields(self) }
}
