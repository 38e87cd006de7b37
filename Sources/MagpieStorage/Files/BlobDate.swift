/// Which of a blob's dates says how old it is.
package enum BlobDate: String, Sendable, Hashable, CaseIterable {
    /// When it was last read.
    case access
    /// When its bytes or metadata were last written.
    case modification
    /// When its key was first written to, as far as the index remembers; else as `modification`.
    case creation
    /// When anything about its file last changed, the date of its last use included (`st_ctime` of stat(2)).
    case change
}

extension FileStatus {
    /// The date in question, in microseconds since 1970.
    func date(_ kind: BlobDate) -> Int64 {
        switch kind {
        case .access: accessed
        case .modification, .creation: modified
        case .change: changed
        }
    }
}
