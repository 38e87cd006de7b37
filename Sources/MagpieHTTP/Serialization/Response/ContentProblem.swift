import Foundation

/// Finds words for what a decoder threw.
enum ContentProblem {
    /// What is wrong with the content and where, without the decoder's own ceremony.
    static func reason(of error: any Error) -> String {
        guard let error = error as? DecodingError else {
            let details = (error as NSError).userInfo
            return details[NSDebugDescriptionErrorKey] as? String ?? "\(error)"
        }
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return place(of: context.codingPath) + context.debugDescription
        case .keyNotFound(let key, let context):
            return "\(place(of: context.codingPath))there is no “\(key.stringValue)”"
        case .dataCorrupted(let context):
            let details = (context.underlyingError as? NSError)?.userInfo[NSDebugDescriptionErrorKey] as? String
            return place(of: context.codingPath) + (details ?? context.debugDescription)
        @unknown default:
            return "\(error)"
        }
    }

    /// `users[3].name: `, or nothing at the top.
    private static func place(of path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "" }
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return "\(text): "
    }
}
