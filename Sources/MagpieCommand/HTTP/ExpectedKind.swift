import Foundation
import MagpieHTTP
import MagpieImage

/// What `--expect` asks of a body.
enum ExpectedKind: String, CaseIterable {
    case json
    case xml
    case plist
    case image
    case any

    /// The kind that the option names.
    init?(_ arguments: ParsedArguments) throws(UsageError) {
        guard let text = arguments.value("expect") else { return nil }
        guard let kind = Self(rawValue: text) else {
            throw UsageError("--expect takes json, xml, plist, image or any, not '\(text)'")
        }
        self = kind
    }

    /// Fails unless the answer is of this kind: by its type and by its content, or for a picture by its content alone.
    func check(_ answer: HTTPDataResponse) throws(Failure) {
        do throws(HTTPError) {
            switch self {
            case .json: _ = try answer.json()
            case .xml: _ = try answer.xmlDocument()
            case .plist: _ = try answer.serialize(with: PropertyListResponseSerializer())
            case .image:
                guard ImageFormat.detect(answer.body) == nil else { return }
                throw .undecodableContent(reason: "it is no picture", answer.response, body: answer.body)
            case .any: break
            }
        } catch {
            throw Failure(error)
        }
    }
}
