import Foundation

/// What a `Set-Cookie` field says, before it is known whether it may (RFC 6265bis §5.6).
struct SetCookie: Equatable {
    var name = ""
    var value = ""
    /// In lower case and without a dot in front; `nil` for the host alone.
    var domain: String?
    /// `nil` for the folder of the request.
    var path: String?
    /// `nil` for the session.
    var expires: Date?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite: HTTPCookieJar.Cookie.SameSite?

    /// Name and value together may not be longer, in bytes.
    private static let maximumSize = 4096
    /// A longer attribute is left out, in bytes.
    private static let maximumAttributeSize = 1024
    /// No cookie lives longer (§5.5), in seconds.
    static let maximumLifetime: TimeInterval = 400 * 24 * 3600

    /// Reads a field; `nil` where it sets nothing.
    init?(_ text: String, now: Date) {
        // Control characters but the tab.
        guard !text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { return nil }
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first else { return nil }
        if let split = pair.firstIndex(of: "=") {
            name = Self.trimmed(pair[..<split])
            value = Self.trimmed(pair[pair.index(after: split)...])
        } else {
            value = Self.trimmed(pair)
        }
        guard !name.isEmpty || !value.isEmpty, name.utf8.count + value.utf8.count <= Self.maximumSize else {
            return nil
        }
        var hasMaxAge = false
        for part in parts.dropFirst() {
            let split = part.firstIndex(of: "=")
            let attribute = Self.trimmed(part[..<(split ?? part.endIndex)]).lowercased()
            let argument = split.map { Self.trimmed(part[part.index(after: $0)...]) } ?? ""
            guard argument.utf8.count <= Self.maximumAttributeSize else { continue }
            apply(attribute, argument, &hasMaxAge, now)
        }
    }

    private mutating func apply(_ attribute: String, _ argument: String, _ hasMaxAge: inout Bool, _ now: Date) {
        switch attribute {
        case "expires":
            guard !hasMaxAge, let date = CookieDate.date(from: argument) else { return }
            expires = min(date, now.addingTimeInterval(Self.maximumLifetime))
        case "max-age":
            guard let seconds = Self.seconds(argument) else { return }
            hasMaxAge = true
            expires = seconds <= 0 ? .distantPast : now.addingTimeInterval(min(seconds, Self.maximumLifetime))
        case "domain":
            let name = argument.hasPrefix(".") ? String(argument.dropFirst()) : argument
            domain = name.isEmpty ? nil : name.lowercased()
        case "path": path = argument.hasPrefix("/") ? argument : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = .init(rawValue: argument.prefix(1).uppercased() + argument.dropFirst().lowercased())
        default: break
        }
    }

    private static func seconds(_ text: String) -> TimeInterval? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return TimeInterval(text)
    }

    private static func trimmed(_ text: Substring) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }
}
