import Foundation

extension HTTPFormEncoding {
    /// A value that is neither a dictionary nor an array nor a set, with its full name.
    struct Pair {
        let name: String
        let value: HTTPParameter
    }

    /// The parameters as names and plain values, in the order in which they are sent.
    func pairs(of parameters: HTTPParameters) throws(HTTPError) -> [Pair] {
        guard case .dictionary(let members) = parameters else {
            throw .unserializableRequest(reason: "the parameters of a form need names; give a dictionary")
        }
        var pairs: [Pair] = []
        for member in sorted(members) { append(member.value, name: keyed(member.name), to: &pairs) }
        return pairs
    }

    /// Names nest as `a[b][c]`.
    private func append(_ value: HTTPParameter, name: String, to pairs: inout [Pair]) {
        switch value {
        case .dictionary(let members):
            for member in sorted(members) { append(member.value, name: "\(name)[\(keyed(member.name))]", to: &pairs) }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                append(element, name: elementName(name, index: index), to: &pairs)
            }
        case .set(let elements):
            // A set has no order of its own, and the same set has to be sent in the same way each time.
            for element in elements.sorted(by: { text(of: $0) < text(of: $1) }) {
                append(element, name: name, to: &pairs)
            }
        case .null where nulls == .omitted: break
        default: pairs.append(Pair(name: name, value: value))
        }
    }

    private func sorted(_ members: [HTTPParameter.Member]) -> [HTTPParameter.Member] {
        isSorted ? members.sorted { $0.name < $1.name } : members
    }

    private func elementName(_ name: String, index: Int) -> String {
        switch arrays {
        case .brackets: "\(name)[]"
        case .noBrackets: name
        case .index: "\(name)[\(index)]"
        case .custom(let rule): rule(name, index)
        }
    }

    private func keyed(_ name: String) -> String {
        switch keys {
        case .asIs: name
        case .snakeCase: Self.words(of: name, separator: "_")
        case .kebabCase: Self.words(of: name, separator: "-")
        case .custom(let rule): rule(name)
        }
    }

    /// `firstName` as `first_name`, `userID` as `user_id`, `httpURLPath` as `http_url_path`.
    private static func words(of name: String, separator: Character) -> String {
        let letters = Array(name)
        var result = ""
        for (index, letter) in letters.enumerated() {
            if letter.isUppercase, index > 0, letters[index - 1] != separator {
                let followsLowercase = !letters[index - 1].isUppercase
                let startsWord = index + 1 < letters.count && letters[index + 1].isLowercase
                if followsLowercase || startsWord { result.append(separator) }
            }
            result += letter.lowercased()
        }
        return result
    }
}

// MARK: - Values

extension HTTPFormEncoding {
    /// A plain value as text.
    func text(of value: HTTPParameter) -> String {
        switch value {
        case .null: ""
        case .bool(let value):
            switch booleans {
            case .numeric: value ? "1" : "0"
            case .literal: value ? "true" : "false"
            }
        case .integer(let value): "\(value)"
        case .double(let value): Self.text(of: value)
        case .decimal(let value): "\(value)"
        case .string(let value): value
        case .date(let value): text(of: value)
        case .data(let value):
            switch bytes {
            case .base64: value.base64EncodedString()
            case .custom(let rule): rule(value)
            }
        case .array(let elements): elements.map(text).joined(separator: ",")
        case .set(let elements): elements.map(text).sorted().joined(separator: ",")
        case .dictionary(let members): members.map { "\($0.name)=\(text(of: $0.value))" }.joined(separator: ",")
        }
    }

    private func text(of date: Date) -> String {
        switch dates {
        case .seconds: Self.text(of: date.timeIntervalSince1970)
        case .milliseconds: Self.text(of: (date.timeIntervalSince1970 * 1000).rounded())
        case .iso8601: date.formatted(.iso8601)
        case .custom(let rule): rule(date)
        }
    }

    /// A whole number without a point, as everyone but computers writes it.
    private static func text(of number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}
