import CSQLite
import Foundation

/// A connection to an SQLite database.
///
/// Not thread-safe: its owner uses it from one thread at a time.
final class SQLiteConnection {
    /// Why a statement was not run: one of SQLite's result codes.
    struct Failure: Error {
        let code: Int32

        /// There is no database, and no place for one.
        static let unavailable = Failure(code: SQLITE_CANTOPEN)

        /// The database holds something else than was put into it.
        static let damaged = Failure(code: SQLITE_CORRUPT)

        /// Whether the file is no database, a damaged one, or one without the tables that its version promises.
        var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR].contains(code & 0xFF) }
    }

    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// Opens a database, made when there is none; a path with a link in it is refused.
    init(path: String) throws(Failure) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close(handle)
            throw Failure(code: code)
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, 10_000)
        // The log stays when the connection closes: removing it by name could hit another's, should the folder have
        // been replaced.
        var isOn: Int32 = 1
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isOn)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(handle)
    }

    /// Runs statements that give no rows.
    func execute(_ sql: String) throws(Failure) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw Failure(code: code) }
    }

    /// Runs a statement, which is kept compiled, and gives `row` each of its rows as integers.
    func run(_ sql: String, _ values: [Int64] = [], row: ([Int64]) -> Void = { _ in }) throws(Failure) {
        let statement = try compiled(sql)
        defer { sqlite3_reset(statement) }
        for (index, value) in values.enumerated() { sqlite3_bind_int64(statement, Int32(index + 1), value) }
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw Failure(code: code) }
            row((0..<sqlite3_column_count(statement)).map { sqlite3_column_int64(statement, $0) })
        }
    }

    /// The first row of a statement's result.
    func firstRow(_ sql: String, _ values: [Int64] = []) throws(Failure) -> [Int64]? {
        var first: [Int64]?
        try run(sql, values) { first = first ?? $0 }
        return first
    }

    /// Runs `body` in a transaction that no other writer is in meanwhile.
    func transaction<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try execute("BEGIN IMMEDIATE")
        do throws(Failure) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
            throw error
        }
    }

    /// Empties the database, however damaged it is, in a way that other connections to it survive
    /// (SQLITE_DBCONFIG_RESET_DATABASE).
    func reset() throws(Failure) {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        magpie_sqlite3_reset_database(handle, 1)
        defer { magpie_sqlite3_reset_database(handle, 0) }
        try execute("VACUUM")
    }

    private func compiled(_ sql: String) throws(Failure) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw Failure(code: code) }
        statements[sql] = statement
        return statement
    }
}
