import Foundation
import MagpieHTTP

/// What the words of `magpie http` ask for: a method, an address, and items that become fields, query and body.
struct RequestPlan {
    /// How the fields of the body are written.
    enum BodyForm {
        case json
        case form
        case multipart
        case propertyList
    }

    let method: HTTPRequest.Method
    let url: URL
    private let items: [RequestItem]
    private let form: BodyForm
    /// A file that is the whole body.
    let upload: URL?

    /// Reads the operands: `[METHOD] URL [ITEM...]`.
    ///
    /// - Parameters:
    ///   - operands: The words that are no options.
    ///   - form: How the fields of the body are written; files in it make a form one of many parts.
    ///   - upload: A file that is the whole body.
    init(_ operands: [String], form: BodyForm, upload: URL?) throws(UsageError) {
        var words = operands[...]
        let namedMethod = words.count > 1 ? words.first.flatMap(Self.method) : nil
        if namedMethod != nil { words = words.dropFirst() }
        guard let address = words.popFirst() else {
            throw UsageError("which address? write [METHOD] URL [ITEM...]")
        }
        if operands.count == 1, Self.isWellKnown(address) {
            throw UsageError("which address? \(address.uppercased()) is a method; write \(address.uppercased()) URL")
        }
        url = try RequestAddress.url(address)
        items = try words.map { word throws(UsageError) in try Self.checked(RequestItem(word)) }
        self.upload = upload
        let files = items.contains { if case .file = $0 { true } else { false } }
        self.form = form == .form && files ? .multipart : form
        let hasContent = items.contains(where: \.isContent)
        if files, form == .json || form == .propertyList {
            throw UsageError("files are parts of a form: add --form or --multipart, or send one with --upload")
        }
        if upload != nil, hasContent {
            throw UsageError("--upload sends a file as the whole body, which leaves no room for fields")
        }
        method = namedMethod ?? (upload != nil ? .put : hasContent ? .post : .get)
    }

    /// The fields that `Name:` leaves out, also where the session would add them.
    var omittedFields: [HTTPField.Name] {
        items.compactMap { item in
            if case .header(let name, nil) = item { HTTPField.Name(name) } else { nil }
        }
    }

    /// The request, by the serializers of the session.
    ///
    /// - Throws: `HTTPError` where a value cannot be written, `Failure` where a file cannot be read.
    func request(in session: HTTPSession) throws -> HTTPRequest {
        var request = try content(in: session)
        for case .header(let name, let value) in items {
            if let name = HTTPField.Name(name) { request.headerFields[name] = value }
        }
        return request
    }

    private func content(in session: HTTPSession) throws -> HTTPRequest {
        var query: [HTTPParameter.Member] = []
        for case .query(let name, let value) in items { query.append(.init(name: name, value: .string(value))) }
        let parameters: HTTPParameters? = query.isEmpty ? nil : .dictionary(query)
        let path = url.absoluteString
        guard items.contains(where: \.isContent) else {
            var request = try session.request(method, path, query: parameters)
            if let upload {
                request.body = try .file(upload)
                request.headerFields[.contentType] = MIMEType.ofFile(named: upload.lastPathComponent)
            }
            return request
        }
        switch form {
        case .json:
            let accept: HTTPFields = [.accept: "application/json, */*;q=0.5"]
            return try session.request(method, path, query: parameters, json: fields(), headerFields: accept)
        case .form:
            return try session.request(method, path, query: parameters, form: fields())
        case .multipart:
            let request = try session.request(method, path, query: parameters)
            return try parts().serialize(into: request)
        case .propertyList:
            let request = try session.request(method, path, query: parameters)
            return try PropertyListRequestSerializer.propertyList.serialize(fields(), into: request)
        }
    }

    /// The fields of the body, in the order of the words.
    private func fields() throws -> HTTPParameters {
        var members: [HTTPParameter.Member] = []
        for item in items {
            switch item {
            case .field(let name, let text): members.append(.init(name: name, value: .string(text)))
            case .fieldFile(let name, let path):
                members.append(.init(name: name, value: .string(try Self.text(of: path))))
            case .json(let name, let text):
                if let value = JSONText.value(text) { members.append(.init(name: name, value: value)) }
            case .jsonFile(let name, let path):
                guard let value = JSONText.value(try Self.text(of: path)) else {
                    throw Failure(code: "unreadable-file", message: "\(path) is no JSON; send it with \(name)=@\(path)")
                }
                members.append(.init(name: name, value: value))
            case .header, .query, .file: break
            }
        }
        return .dictionary(members)
    }

    private func parts() throws -> MultipartFormData {
        var form = MultipartFormData()
        for item in items {
            switch item {
            case .field(let name, let text): form.append(text, name: name)
            case .json(let name, let text): form.append(text, name: name)
            case .fieldFile(let name, let path), .jsonFile(let name, let path):
                form.append(try Self.text(of: path), name: name)
            case .file(let name, let path):
                let parts = path.components(separatedBy: ";type=")
                let file = URL(fileURLWithPath: parts[0])
                form.append(file: file, name: name, mimeType: parts.count > 1 ? parts[1] : nil)
            case .header, .query: break
            }
        }
        return form
    }

    private static func text(of path: String) throws(Failure) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure(code: "unreadable-file", message: "\(path) cannot be read")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw Failure(
                code: "unreadable-file",
                message: "\(path) is no text in UTF-8; send it with --form NAME@\(path)"
            )
        }
        return text
    }

    /// The item, if its name and its value can be sent.
    private static func checked(_ item: RequestItem) throws(UsageError) -> RequestItem {
        switch item {
        case .header(let name, _) where HTTPField.Name(name) == nil:
            throw UsageError("'\(name)' cannot be the name of a field")
        case .json(let name, let text) where JSONText.value(text) == nil:
            throw UsageError("the value of '\(name)' is no JSON; write \(name)=... for text")
        default: return item
        }
    }

    /// The method that a word names: one of letters, all of them capital unless it is a well-known one.
    private static func method(_ word: String) -> HTTPRequest.Method? {
        let isMethod = !word.isEmpty && word.allSatisfy { $0.isASCII && $0.isUppercase }
        guard isMethod || isWellKnown(word) else { return nil }
        return HTTPRequest.Method(rawValue: word.uppercased())
    }

    private static func isWellKnown(_ word: String) -> Bool {
        ["get", "head", "post", "put", "patch", "delete", "options", "trace"].contains(word.lowercased())
    }
}

/// A value that is written as JSON on the command line.
private struct JSONText: Decodable {
    private let parameter: HTTPParameter

    /// The value; nil where the text is no JSON.
    static func value(_ text: String) -> HTTPParameter? {
        (try? JSONDecoder().decode(JSONText.self, from: Data(text.utf8)))?.parameter
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            parameter = .null
        } else if let bool = try? container.decode(Bool.self) {
            parameter = .bool(bool)
        } else if let integer = try? container.decode(Int.self) {
            parameter = .integer(integer)
        } else if let decimal = try? container.decode(Decimal.self) {
            parameter = .decimal(decimal)
        } else if let string = try? container.decode(String.self) {
            parameter = .string(string)
        } else if let array = try? container.decode([JSONText].self) {
            parameter = .array(array.map(\.parameter))
        } else {
            parameter = .dictionary(try container.decode([String: JSONText].self).mapValues(\.parameter))
        }
    }
}
