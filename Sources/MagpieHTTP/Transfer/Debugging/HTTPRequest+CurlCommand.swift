import Foundation

extension HTTPRequest {
    /// A command line for a shell that sends the request with the program `curl`; passwords, tokens and cookies are
    /// replaced by `***`.
    public var curlCommand: String { curlCommand(redaction: .standard) }

    /// A command line for a shell that sends the request with the program `curl`.
    ///
    /// Content that is not in memory is taken from a file named `body`, and so is content in which secrets could not be
    /// told from the rest: anything but forms, JSON and plain text.
    ///
    /// - Parameter redaction: What to hide; with `.none` the command does just what the request does.
    public func curlCommand(redaction: HTTPRedaction) -> String {
        var words = ["curl", "--globoff"]
        var input: String?
        switch method {
        case .get where body == nil: break
        case .head: words.append("--head")
        default: words += ["--request", method.rawValue]
        }
        words += credentialOptions(redaction)
        for field in redaction.fields(headerFields) {
            // curl drops a field that ends with its colon, and takes a semicolon for an empty value.
            words += [
                "--header", field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)",
            ]
        }
        if let body {
            // Otherwise curl calls it a form.
            if !headerFields.contains(.contentType) { words += ["--header", "Content-Type:"] }
            let text = body.data.flatMap { String(validating: $0, as: UTF8.self) }
            if let text, !text.utf8.contains(0), let shown = redaction.body(text, headerFields[.contentType]) {
                words += ["--data-raw", shown]
            } else if let data = body.data, redaction.parameterNames.isEmpty {
                input = Self.printCommand(data)
                words += ["--data-binary", "@-"]
            } else {
                words += ["--data-binary", "@body"]
            }
        }
        words.append(redaction.address(url))
        let command = words.map(Self.quoted).joined(separator: " ")
        return input.map { "\($0) | \(command)" } ?? command
    }

    private func credentialOptions(_ redaction: HTTPRedaction) -> [String] {
        let isShown = !redaction.fieldNames.contains(.authorization)
        switch credential?.kind {
        case .password(let user, let password):
            return ["--anyauth", "--user", "\(user):\(isShown ? password : HTTPRedaction.mark)"]
        case .token(let token):
            return ["--header", "Authorization: Bearer \(isShown ? token : HTTPRedaction.mark)"]
        case nil: return []
        }
    }

    /// One word of a POSIX shell, whatever is in it.
    private static func quoted(_ word: String) -> String {
        let isPlain = { (byte: UInt8) in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"),
                UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "@"):
                true
            default: false
            }
        }
        if !word.isEmpty, word.utf8.allSatisfy(isPlain) { return word }
        return "'\(word.replacing("'", with: #"'\''"#))'"
    }

    /// A command that writes bytes which no shell can hold as text.
    private static func printCommand(_ data: Data) -> String {
        let escapes = data.map { byte in
            let digits = String(byte, radix: 8)
            return #"\"# + String(repeating: "0", count: 3 - digits.count) + digits
        }
        return "printf '\(escapes.joined())'"
    }
}
