import Foundation
import Magpie
import MagpieHTTP

/// Gets the bytes of an input that may be a file or a URL.
struct PictureReader: Sendable {
    private let manager: ImageManager
    private let context: ImageContext

    init(_ arguments: ParsedArguments) throws(UsageError) {
        manager = try PictureArguments.manager(arguments)
        var context = ImageContext()
        context.headerFields = try PictureArguments.headerFields(arguments)
        self.context = context
    }

    /// The bytes of a file, or of what a URL names.
    func data(of input: String) async throws(Failure) -> Data {
        guard let url = try PictureArguments.url(input) else { return try Self.contents(of: input) }
        return try await Failure.wrapping { () throws(WebImageError) in
            try await manager.data(from: url, options: [.waitStoreCache], context: context).data
        }
    }

    /// The bytes of a file.
    static func contents(of path: String) throws(Failure) -> Data {
        do {
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
                throw Failure(code: "unreadable", message: "it is a folder; name the files in it")
            }
            let file = URL(fileURLWithPath: path)
            let type = try FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)[.type]
            if type as? FileAttributeType == .typeRegular { return try Data(contentsOf: file, options: .mappedIfSafe) }
            // A pipe has no size, and comes as it comes.
            return try FileHandle(forReadingFrom: file).readToEnd() ?? Data()
        } catch let failure as Failure {
            throw failure
        } catch let error as CocoaError {
            let reason =
                switch error.code {
                case .fileReadNoSuchFile: "there is no such file"
                case .fileReadNoPermission: "it may not be read"
                default: "it cannot be read"
                }
            throw Failure(code: "unreadable", message: reason)
        } catch {
            throw Failure(code: "unreadable", message: "it cannot be read")
        }
    }
}
