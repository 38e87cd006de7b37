import Foundation
import Glibc

/// The names of the files that a process is changing or has changed and not told the index yet, in a file that outlives
/// the process: should it end before, the next one looks at just those.
///
/// A lock on the file (flock(2)) tells the journal of a process that runs from one that was left behind.
/// Not thread-safe: its owner locks.
final class StoreJournal {
    /// Marks the files that the process has not finished, besides the journal itself.
    let identifier: String
    /// The store's folder that the journal is of.
    let directory: StoreDirectory
    private let folder: StoreDirectory
    private let descriptor: Int32
    private var count = 0

    private static let folderName = ".journals"
    private static let recordSize = 16
    /// How many names a journal holds; a process comes near it only when the index cannot be written at all.
    private static let limit = 1 << 20

    /// Begins a journal; nil when the file cannot be made.
    init?(in directory: StoreDirectory) {
        mkdirat(directory.descriptor, Self.folderName, 0o700)
        // Eight random bytes keep the processes apart; the kernel refuses a second use.
        identifier = String(UInt64.random(in: 0 ... .max), radix: 36)
        guard let folder = StoreDirectory(path: Self.folderName, in: directory.descriptor) else { return nil }
        self.directory = directory
        self.folder = folder
        descriptor = folder.create(identifier)
        var status = stat()
        // Another process may have taken the file for one left behind before it was locked.
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0,
            status.st_nlink > 0
        else { return nil }
    }

    deinit {
        guard descriptor >= 0 else { return }
        if count == 0 { unlinkat(folder.descriptor, identifier, 0) }
        close(descriptor)
    }

    /// Notes that a file is about to be changed.
    func add(_ name: BlobName) {
        guard count < Self.limit else { return }
        count += 1
        _ = Data(record: name).writeAll(to: descriptor)
    }

    /// Forgets all names but these.
    func keep(_ names: some Sequence<BlobName>) {
        var records = Data()
        for name in names { records.append(Data(record: name)) }
        count = records.count / Self.recordSize
        // What is kept stands in the file already, further behind, until it is written in front.
        guard lseek(descriptor, 0, SEEK_SET) == 0, records.writeAll(to: descriptor) == 0 else { return }
        ftruncate(descriptor, off_t(records.count))
    }

    /// What processes left behind that ended before they told the index.
    ///
    /// - Parameter settle: is given the names in a journal and its identifier; a journal is removed when that succeeds.
    static func settleLeftBehind<Failure: Error>(
        in directory: StoreDirectory,
        _ settle: ([BlobName], _ identifier: String) throws(Failure) -> Void
    ) throws(Failure) {
        guard let folder = StoreDirectory(path: folderName, in: directory.descriptor) else { return }
        for identifier in folder.names() {
            let descriptor = openat(folder.descriptor, identifier, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
            let names = names(in: descriptor)
            if !names.isEmpty { try settle(names, identifier) }
            unlinkat(folder.descriptor, identifier, 0)
        }
    }

    private static func names(in descriptor: Int32) -> [BlobName] {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
        var bytes = [UInt64](repeating: 0, count: min(Int(status.st_size) / recordSize, limit) * 2)
        let got = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        return (0..<max(0, got) / recordSize).map { BlobName(high: bytes[2 * $0], low: bytes[2 * $0 + 1]) }
    }
}

extension Data {
    fileprivate init(record name: BlobName) {
        self.init(capacity: 16)
        for half in [name.high, name.low] { Swift.withUnsafeBytes(of: half) { append(contentsOf: $0) } }
    }
}
