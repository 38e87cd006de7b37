package import Foundation

/// One entry of a store, as a listing shows it.
package struct BlobEntry: Sendable {
    /// What the bytes are kept under.
    package let key: String
    /// What was stored with the bytes.
    package let metadata: Data
    /// The size of the file in bytes.
    package let size: Int
    /// When the bytes were last read.
    package let accessed: Date
    /// When they were written.
    package let modified: Date
    /// The file, which begins with the bytes.
    package let file: URL
}
