public import Foundation

/// The content of a request.
///
/// The kinds are not an enumeration, so that further ones (a file, a stream) can come without breaking a program.
public struct HTTPRequestBody: Sendable, Hashable {
    private enum Storage: Hashable {
        case bytes(Data)
    }

    private let storage: Storage

    /// Content that is in memory.
    public static func bytes(_ data: Data) -> Self { Self(storage: .bytes(data)) }

    /// The number of bytes that will be sent, or `nil` where it is not known beforehand.
    public var count: Int64? {
        switch storage {
        case .bytes(let data): Int64(data.count)
        }
    }

    /// The bytes, or `nil` for a kind of content that is not in memory.
    public var data: Data? {
        switch storage {
        case .bytes(let data): data
        }
    }
}
