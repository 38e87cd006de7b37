import Foundation

extension BlobStore {
    /// The number of entries and the size of their files in bytes.
    package struct Totals: Sendable, Equatable {
        /// The number of entries.
        package var count: Int
        /// The size of their files in bytes.
        package var size: Int

        package init(count: Int, size: Int) {
            self.count = count
            self.size = size
        }
    }

    /// What a verification found and did.
    package struct Verification: Sendable, Equatable {
        /// How many files were read.
        package var checked = 0
        /// How many of them were damaged, or under another key's name, and were removed.
        package var damaged = 0
        /// How many files were removed that some process had begun to write and not finished.
        package var unfinished = 0
        /// How many entries the index had wrong.
        package var corrected = 0
        /// Whether the index was damaged and made anew.
        package var isIndexRebuilt = false
        /// What the store holds now.
        package var totals = Totals(count: 0, size: 0)
    }

    /// The number and size of all entries, in constant time.
    package var totals: Totals {
        if let totals = keeper.withIndex({ (index) throws(SQLiteConnection.Failure) in try index.totals() }) {
            return Totals(count: totals.count, size: totals.size)
        }
        // A folder that cannot be written to may have no index.
        let files = files()
        return Totals(count: files.count, size: files.reduce(0) { $0 + $1.status.size })
    }

    /// Writes what was changed and used into the index.
    package func flush() {
        keeper.flush()
    }

    /// Removes what is too old; when more than `limits.maximumSize` is left, the oldest until it is less than half of it.
    ///
    /// - Returns: what was removed.
    @discardableResult
    package func trim() -> Totals {
        let limits = limits
        let removed = keeper.withIndex(trims: false) { (index) throws(SQLiteConnection.Failure) in
            var removed = try index.trim(by: limits.expiry, until: limits.cutoff(at: FileStatus.now)) { _ in false }
            guard try index.totals().size > limits.maximumSize else { return removed }
            let more = try index.trim(by: limits.expiry, until: nil) { $0 >= limits.maximumSize / 2 && $0 > 0 }
            removed.count += more.count
            removed.size += more.size
            return removed
        }
        return Totals(count: removed?.count ?? 0, size: removed?.size ?? 0)
    }

    /// Reads every file, removes the damaged ones, and makes the index agree with the folder.
    package func verify() -> Verification {
        var report = Verification()
        guard let directory = folder.existing() else { return report }
        for (name, _) in files() {
            guard let file = BlobFile(name, in: directory) else { continue }
            report.checked += 1
            if let (format, trailer) = file.tail(),
                let key = trailer.withUnsafeBytes({ format.key(in: $0) }),
                BlobName(key: key) == name, BlobReader(file, key: key) != nil
            {
                continue
            }
            remove(name)
            report.damaged += 1
        }
        report.unfinished = directory.removeUnfinished(olderThan: FileStatus.now - 60_000_000)
        let outcome = keeper.withIndex { (index) throws(SQLiteConnection.Failure) in
            let isSound = index.isSound()
            if !isSound { try index.reset() }
            let wrong = try self.keeper.scan(index)
            let isCounted = try index.recount()
            return (isSound, wrong + (isCounted ? 0 : 1))
        }
        report.isIndexRebuilt = outcome?.0 == false
        report.corrected = outcome?.1 ?? 0
        report.totals = totals
        return report
    }

    /// All entries whose files' ends can be read, the most recently used first.
    package func entries() -> [BlobEntry] {
        keeper.flush()
        return files().sorted { $0.status.accessed > $1.status.accessed }.compactMap { entry($0.name) }
    }

    /// The entry of a key, by the end of its file; does not count as a use.
    package func entry(for key: String) -> BlobEntry? {
        keeper.flush()
        return entry(BlobName(key: key)).flatMap { $0.key == key ? $0 : nil }
    }

    private func entry(_ name: BlobName) -> BlobEntry? {
        guard let directory = folder.existing(), let file = BlobFile(name, in: directory),
            let (format, trailer) = file.tail(),
            let key = trailer.withUnsafeBytes({ format.key(in: $0) })
        else { return nil }
        return BlobEntry(
            key: key,
            metadata: trailer.withUnsafeBytes { format.metadata(in: $0) },
            size: file.status.size,
            accessed: Date(microseconds: file.status.accessed),
            modified: Date(microseconds: file.status.modified),
            file: url.appendingPathComponent(name.fileName)
        )
    }

    private func files() -> [(name: BlobName, status: FileStatus)] {
        guard let directory = folder.existing() else { return [] }
        return directory.names().compactMap(BlobName.init(fileName:)).compactMap { name in
            directory.status(of: name).map { (name, $0) }
        }
    }
}

extension Date {
    fileprivate init(microseconds: Int64) {
        self.init(timeIntervalSince1970: Double(microseconds) / 1e6)
    }
}
