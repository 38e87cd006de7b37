import CDemoPictures
import Foundation

/// A picture that is bundled with the program.
struct DemoPicture: Sendable {
    let name: String
    let title: String
    let data: Data

    /// All of them.
    static let all: [DemoPicture] = (0..<magpie_demo_picture_count).compactMap { index in
        guard let picture = magpie_demo_picture_at(index)?.pointee, let name = picture.name, let title = picture.title,
            let bytes = picture.bytes
        else { return nil }
        return DemoPicture(
            name: String(cString: name),
            title: String(cString: title),
            data: Data(bytes: bytes, count: picture.size)
        )
    }
}
