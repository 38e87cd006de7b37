import MagpieStorage

/// Which of an entry's dates says how old it is, and in which order entries leave a disk cache that is too large; names
/// after SDWebImage's `SDImageCacheConfigExpireType`.
public enum DiskCacheExpiry: String, Sendable, Hashable, CaseIterable {
    /// When it was last read.
    case accessDate
    /// When it was last stored.
    case modificationDate
    /// When its key was first stored.
    case creationDate
    /// When anything about its file last changed, its last use included.
    case changeDate

    var date: BlobDate {
        switch self {
        case .accessDate: .access
        case .modificationDate: .modification
        case .creationDate: .creation
        case .changeDate: .change
        }
    }
}
