public import Foundation

/// The content of a request.
///
/// The kinds are not an enumeration, so that further ones can come without breaking a program.
public struct HTTPRequestBody: Sendable {
    private enum Storage {
        case bytes(Data)
        case source(any HTTPBodySource)
    }

    private let storage: Storage

    /// Content that is in memory.
    public static func bytes(_ data: Data) -> Self { Self(storage: .bytes(data)) }

    /// Content that is made while it is sent.
    public static func source(_ source: any HTTPBodySource) -> Self { Self(storage: .source(source)) }

    /// The number of bytes that will be sent, or `nil` where it is not known beforehand.
    public var count: Int64? {
        switch storage {
        case .bytes(let data): Int64(data.count)
        case .source(let source): source.count
        }
    }

    /// The bytes, or `nil` for content that is not in memory.
    public var data: Data? {
        switch storage {
        case .bytes(let data): data
        case .source: nil
        }
    }

    /// What makes the content, or `nil` for content that is in memory.
    public var source: (any HTTPBodySource)? {
        switch storage {
        case .bytes: nil
        case .source(let source): source
        }
    }

    /// Whether the content can be sent a second time.
    public var isRepeatable: Bool { source?.isRepeatable ?? true }
}

/// Bytes are equal to the same bytes, a source to itself.
extension HTTPRequestBody: Hashable {
    /// Whether both send the same.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left.storage, right.storage) {
        case (.bytes(let left), .bytes(let right)): left == right
        case (.source(let left), .source(let right)): left === right
        default: false
        }
    }

    /// Hashes the bytes, or the identity of the source.
    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .bytes(let data): hasher.combine(data)
        case .source(let source): hasher.combine(ObjectIdentifier(source))
        }
    }
}
