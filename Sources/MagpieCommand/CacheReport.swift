import Foundation
import Magpie

/// Prints what `magpie cache` found, for people or as JSON.
struct CacheReport {
    private struct Path: Encodable {
        let path: String
    }

    private struct Usage: Encodable {
        let path: String
        let count: Int
        let bytes: Int
    }

    private struct Removed: Encodable {
        let path: String
        let removed: Int
        let removedBytes: Int
        let count: Int
        let bytes: Int

        enum CodingKeys: String, CodingKey {
            case path, removed, removedBytes = "removed_bytes", count, bytes
        }
    }

    private struct Verification: Encodable {
        let path: String
        let checked: Int
        let damaged: Int
        let unfinished: Int
        let corrected: Int
        let indexRebuilt: Bool
        let count: Int
        let bytes: Int

        enum CodingKeys: String, CodingKey {
            case path, checked, damaged, unfinished, corrected, indexRebuilt = "index_rebuilt", count, bytes
        }
    }

    private struct Entry: Encodable {
        let key: String
        let url: String?
        let contentType: String?
        let entityTag: String?
        let lastModified: String?
        let cacheControl: String?
        let expires: String?
        let bytes: Int
        let stored: String
        let used: String
        let path: String?

        enum CodingKeys: String, CodingKey {
            case key, url, contentType = "content_type", entityTag = "etag", lastModified = "last_modified"
            case cacheControl = "cache_control", expires, bytes, stored, used, path
        }

        init(_ entry: DiskCacheEntry) {
            key = entry.key
            url = entry.data.url?.absoluteString
            contentType = entry.data.contentType
            entityTag = entry.data.entityTag
            lastModified = entry.data.lastModified
            cacheControl = entry.data.cacheControl
            expires = entry.data.expires
            bytes = entry.size
            stored = entry.stored.ISO8601Format()
            used = entry.used.ISO8601Format()
            path = entry.file?.path
        }

        /// The names and values for people, without those that are missing.
        var lines: [(name: String, value: String)] {
            let all = [
                ("key", key), ("url", url), ("content type", contentType), ("ETag", entityTag),
                ("last modified", lastModified), ("cache control", cacheControl), ("expires", expires),
                ("bytes", "\(bytes)"), ("stored", stored), ("used", used), ("file", path),
            ]
            return all.compactMap { name, value in value.map { (name, $0) } }
        }
    }

    let cache: DiskCache
    let isJSON: Bool

    private var path: String { cache.folder.path }

    func showPath() {
        isJSON ? Console.print(json: Path(path: path)) : Console.print(path)
    }

    func showUsage() {
        let usage = cache.usage
        if isJSON { return Console.print(json: Usage(path: path, count: usage.count, bytes: usage.size)) }
        Console.print("\(usage.count) pictures, \(usage.size) bytes, in \(path)")
    }

    func show(_ entry: DiskCacheEntry) {
        let line = Entry(entry)
        if isJSON { return Console.print(json: line) }
        Console.print(result: [line.used, "\(line.bytes)", line.contentType ?? "-", line.key])
    }

    /// Shows the entry of a key; looking at it does not count as a use.
    func show(_ key: String) -> ExitStatus {
        guard let entry = cache.entry(for: key) else {
            Console.fail(key, "is not in the cache; `magpie cache list` shows what is")
            return .someFailed
        }
        if isJSON {
            Console.print(json: Entry(entry))
        } else {
            for line in Entry(entry).lines {
                Console.print(result: [line.name, line.value])
            }
        }
        return .done
    }

    func show(removed: DiskCacheUsage) {
        let usage = cache.usage
        if isJSON {
            return Console.print(
                json: Removed(
                    path: path,
                    removed: removed.count,
                    removedBytes: removed.size,
                    count: usage.count,
                    bytes: usage.size
                )
            )
        }
        Console.print(
            "\(removed.count) pictures removed, \(removed.size) bytes; \(usage.count) are left, \(usage.size) bytes"
        )
    }

    func show(_ found: DiskCacheVerification) {
        if isJSON {
            return Console.print(
                json: Verification(
                    path: path,
                    checked: found.checked,
                    damaged: found.damaged,
                    unfinished: found.unfinished,
                    corrected: found.corrected,
                    indexRebuilt: found.isIndexRebuilt,
                    count: found.usage.count,
                    bytes: found.usage.size
                )
            )
        }
        Console.print("\(found.checked) files read, \(found.damaged) damaged ones removed")
        if found.unfinished > 0 { Console.print("\(found.unfinished) unfinished files removed") }
        Console.print(
            found.isIndexRebuilt
                ? "the index was damaged and is made anew" : "\(found.corrected) entries of the index corrected"
        )
        Console.print("\(found.usage.count) pictures, \(found.usage.size) bytes, in \(path)")
    }
}
