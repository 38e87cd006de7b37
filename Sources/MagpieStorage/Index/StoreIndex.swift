import Foundation
import Glibc

/// What a store's files are, in an order that a folder does not have: their number and size, and the oldest first.
///
/// The files are the truth. Every change looks at the file within the transaction that it is written down in, so that
/// however the changes of several processes interleave, the index says in the end what the last of them saw.
/// Not thread-safe: its owner locks.
final class StoreIndex {
    /// The number and the size of all entries.
    struct Totals: Equatable {
        var count: Int
        var size: Int
    }

    static let fileName = "index.sqlite"
    private static let version = 1

    let directory: StoreDirectory
    private let database: SQLiteConnection

    /// Opens the index of a folder, made when there is none, and emptied when it is damaged; waits for processes that
    /// have it open.
    ///
    /// - Parameter path: leads to the folder.
    init(of directory: StoreDirectory, path: String) throws(SQLiteConnection.Failure) {
        self.directory = directory
        // Made here for the sake of its permissions, which SQLite's other files take over.
        let file = directory.create(Self.fileName)
        if file >= 0 { close(file) }
        // A folder above may be a link, which is the user's affair; SQLite would refuse it.
        guard let real = realpath(path, nil) else { throw .unavailable }
        defer { free(real) }
        let folder = String(cString: real)
        guard directory.isAt(folder) else { throw .unavailable }
        database = try SQLiteConnection(path: folder + "/" + Self.fileName)
        do throws(SQLiteConnection.Failure) {
            try prepare()
        } catch {
            guard error.isDamage else { throw error }
            try reset()
        }
    }

    /// Empties the index and makes it anew.
    func reset() throws(SQLiteConnection.Failure) {
        try database.reset()
        try prepare()
    }

    private func prepare() throws(SQLiteConnection.Failure) {
        // Without memory shared between processes, which would end all of them should somebody cut its file short; with
        // an empty log at the end, so that the next has nothing to read; and without waiting for the disk: see
        // `lastScan`.
        try database.execute(
            """
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY; PRAGMA synchronous = OFF;
            PRAGMA cache_size = -16384; PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 0;
            """
        )
        let version = try database.firstRow("PRAGMA user_version")?.first ?? 0
        if version == Self.version { return }
        if version != 0 { try database.reset() }
        try database.transaction { () throws(SQLiteConnection.Failure) in
            // Another process may have been quicker.
            guard try database.firstRow("PRAGMA user_version")?.first == 0 else { return }
            try database.execute(
                """
                CREATE TABLE entries (
                    high INTEGER, low INTEGER, size INTEGER NOT NULL, access INTEGER NOT NULL,
                    modification INTEGER NOT NULL, creation INTEGER NOT NULL, change INTEGER NOT NULL,
                    PRIMARY KEY (high, low)
                ) WITHOUT ROWID;
                CREATE TABLE totals (count INTEGER NOT NULL, size INTEGER NOT NULL, scanned INTEGER, boot INTEGER);
                INSERT INTO totals VALUES (0, 0, NULL, NULL);
                PRAGMA user_version = \(Self.version);
                """
            )
        }
    }

    /// The number and the size of all entries, in constant time.
    func totals() throws(SQLiteConnection.Failure) -> Totals {
        guard let row = try database.firstRow("SELECT count, size FROM totals") else { throw .damaged }
        return Totals(count: Int(row[0]), size: Int(row[1]))
    }

    /// When the whole folder was last looked through since the system started, in microseconds since 1970; nil for not
    /// yet.
    ///
    /// What was written before a power cut may be there in part, so that the index of a former run of the system is
    /// compared with the folder again.
    func lastScan() throws(SQLiteConnection.Failure) -> Int64? {
        guard let row = try database.firstRow("SELECT scanned, boot FROM totals") else { throw .damaged }
        return row[0] == 0 || row[1] != Self.boot ? nil : row[0]
    }

    /// Notes that the whole folder was looked through.
    func didScan(at time: Int64) throws(SQLiteConnection.Failure) {
        try database.run("UPDATE totals SET scanned = ?, boot = ?", [time, Self.boot])
    }

    /// A number that is another one each time the system has started (random(4)).
    private static let boot: Int64 = {
        let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        return Int64(bitPattern: BlobName(key: text).low)
    }()

    /// The names of all entries.
    func names() throws(SQLiteConnection.Failure) -> [BlobName] {
        var names: [BlobName] = []
        try database.run("SELECT high, low FROM entries") { names.append(Self.name($0)) }
        return names
    }

    /// Looks at the files of these names and writes down what they are, or that they are gone.
    ///
    /// - Returns: how many the index had wrong.
    @discardableResult
    func reconcile(_ names: some Collection<BlobName>) throws(SQLiteConnection.Failure) -> Int {
        var wrong = 0
        var rest = names[...]
        // In parts, so that other writers are not kept waiting.
        while !rest.isEmpty {
            let part = rest.prefix(1000)
            rest = rest.dropFirst(1000)
            wrong += try database.transaction { () throws(SQLiteConnection.Failure) in
                var change = Totals(count: 0, size: 0)
                var wrong = 0
                for name in part where try reconcile(name, &change) { wrong += 1 }
                try add(change)
                return wrong
            }
        }
        return wrong
    }

    private func reconcile(_ name: BlobName, _ change: inout Totals) throws(SQLiteConnection.Failure) -> Bool {
        let key = Self.values(name)
        let known = try database.firstRow("SELECT size FROM entries WHERE high = ? AND low = ?", key)?.first
        guard let status = directory.status(of: name) else {
            guard let known else { return false }
            try database.run("DELETE FROM entries WHERE high = ? AND low = ?", key)
            change.count &-= 1
            change.size &-= Int(known)
            return true
        }
        try write(status, key)
        change.size &+= status.size &- Int(known ?? 0)
        if known == nil { change.count &+= 1 }
        return known != Int64(status.size)
    }

    private func write(_ status: FileStatus, _ key: [Int64]) throws(SQLiteConnection.Failure) {
        try database.run(
            """
            INSERT INTO entries VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6) ON CONFLICT (high, low)
            DO UPDATE SET size = ?3, access = ?4, modification = ?5, change = ?6
            """,
            key + [Int64(status.size), status.accessed, status.modified, status.changed]
        )
    }

    private func add(_ change: Totals) throws(SQLiteConnection.Failure) {
        guard change != Totals(count: 0, size: 0) else { return }
        try database.run(
            "UPDATE totals SET count = count + ?, size = size + ?",
            [Int64(change.count), Int64(change.size)]
        )
    }

    /// Counts all entries anew; false when the totals were wrong, and are right now.
    func recount() throws(SQLiteConnection.Failure) -> Bool {
        try database.transaction { () throws(SQLiteConnection.Failure) in
            let row = try database.firstRow("SELECT count(*), total(size) FROM entries") ?? [0, 0]
            let counted = Totals(count: Int(row[0]), size: Int(row[1]))
            let noted = try totals()
            try add(Totals(count: counted.count &- noted.count, size: counted.size &- noted.size))
            return counted == noted
        }
    }

    /// Whether SQLite finds the file sound.
    func isSound() -> Bool {
        let sql = "SELECT count(*) FROM pragma_quick_check(1) WHERE quick_check = 'ok'"
        return (try? database.firstRow(sql))?.first == 1
    }

    // MARK: - Trimming

    /// Removes entries, the oldest first: those that are not younger than `cutoff`, and others while `isTooMuch`.
    ///
    /// Takes time in proportion to what is removed.
    func trim(
        by kind: BlobDate,
        until cutoff: Int64?,
        while isTooMuch: (Int) -> Bool
    ) throws(SQLiteConnection.Failure) -> Totals {
        try database.execute("CREATE INDEX IF NOT EXISTS by_\(kind.rawValue) ON entries (\(kind.rawValue))")
        var removed = Totals(count: 0, size: 0)
        // Files that cannot be removed are passed over, so that the place is kept.
        var place: [Int64] = [.min, .min, .min]
        var isDone = false
        while !isDone {
            isDone = try database.transaction { () throws(SQLiteConnection.Failure) in
                var change = Totals(count: 0, size: 0)
                let size = try totals().size
                let isDone = try trimPart(by: kind, from: &place, &change) { date, change in
                    cutoff.map { date <= $0 } ?? false || isTooMuch(size &+ change.size)
                }
                try add(change)
                removed.count &-= change.count
                removed.size &-= change.size
                return isDone
            }
        }
        return removed
    }

    private func trimPart(
        by kind: BlobDate,
        from place: inout [Int64],
        _ change: inout Totals,
        while isToGo: (Int64, Totals) -> Bool
    ) throws(SQLiteConnection.Failure) -> Bool {
        let column = kind.rawValue
        // Neighbours in time are strangers by name: the more of them, the fewer pages are written twice.
        let limit = 4096
        var rows: [[Int64]] = []
        try database.run(
            """
            SELECT \(column), high, low, size FROM entries WHERE (\(column), high, low) > (?, ?, ?)
            ORDER BY \(column), high, low LIMIT \(limit)
            """,
            place
        ) { rows.append($0) }
        for row in rows {
            guard isToGo(row[0], change) else { return true }
            place = Array(row[0..<3])
            let key = Array(row[1..<3])
            let name = Self.name(key)
            if let status = directory.status(of: name) {
                if kind != .creation, status.date(kind) > row[0] {
                    // Used or written since the index heard of it.
                    try write(status, key)
                    change.size &+= status.size &- Int(row[3])
                    continue
                }
                guard directory.remove(name.cString) else { continue }
            }
            try database.run("DELETE FROM entries WHERE high = ? AND low = ?", key)
            change.count &-= 1
            change.size &-= Int(row[3])
        }
        return rows.count < limit
    }

    private static func values(_ name: BlobName) -> [Int64] {
        [Int64(bitPattern: name.high), Int64(bitPattern: name.low)]
    }

    private static func name(_ row: [Int64]) -> BlobName {
        BlobName(high: UInt64(bitPattern: row[0]), low: UInt64(bitPattern: row[1]))
    }
}
