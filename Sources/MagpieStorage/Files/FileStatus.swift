import Glibc

/// What the file system says of a blob's file, times in microseconds since 1970.
struct FileStatus: Equatable {
    let size: Int
    let accessed: Int64
    let modified: Int64
    let changed: Int64

    /// Of a file that there is none of.
    static let none = FileStatus(size: 0, accessed: 0, modified: 0, changed: 0)

    private init(size: Int, accessed: Int64, modified: Int64, changed: Int64) {
        self.size = size
        self.accessed = accessed
        self.modified = modified
        self.changed = changed
    }

    /// Nil for what is no plain file.
    init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0 else { return nil }
        size = Int(status.st_size)
        accessed = Self.microseconds(status.st_atim)
        modified = Self.microseconds(status.st_mtim)
        changed = Self.microseconds(status.st_ctim)
    }

    /// The time now.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return microseconds(time)
    }

    /// A moment that whoever set a file's times may have chosen, kept within what fits.
    private static func microseconds(_ time: timespec) -> Int64 {
        let limit = 9_000_000_000_000
        return Int64(max(-limit, min(limit, time.tv_sec))) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

extension timespec {
    /// A moment in microseconds since 1970.
    init(microseconds: Int64) {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(tv_sec: Int(seconds), tv_nsec: Int(max(0, rest)) * 1000)
    }

    // UTIME_OMIT of <sys/stat.h>, a macro that Swift does not see.
    static let unchanged = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
}
