import CDemoPictures
import Foundation

/// A picture that is bundled with the program.
struct DemoPicture: Sendable {
    let name: String
    let title: String
    let data: Data

    /// All of them.
    static let all: [DemoPicture] = (0..<Int(magpie_demo_picture_count)).compactMap { index in
        let picture = withUnsafePointer(to: magpie_demo_pictures) { first in
            UnsafeRawPointer(first).assumingMemoryBound(to: magpie_demo_picture.self)[index]
        }
        guard let name = picture.name, let title = picture.title, let bytes = picture.bytes else { return nil }
        return DemoPicture(
            name: String(cString: name),
            title: String(cString: title),
            data: Data(bytes: bytes, count: picture.size)
        )
    }
}
