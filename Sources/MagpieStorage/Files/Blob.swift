package import Foundation

/// What a store holds under a key: bytes, and what its user wants to know of them.
package struct Blob: Sendable {
    /// The bytes.
    package let data: Data
    /// What was stored with them.
    package let metadata: Data
}
