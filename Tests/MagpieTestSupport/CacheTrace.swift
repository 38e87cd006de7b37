import Foundation

/// A recorded series of requests to a cache.
package struct CacheTrace: Sendable {
    /// One request: a key and the size of what it names.
    package struct Request: Sendable {
        package let key: Int
        package let size: Int

        package init(key: Int, size: Int) {
            self.key = key
            self.size = size
        }
    }

    /// The traces that there are, by name.
    package static let names = ["web07", "adaptsize", "multi1", "multi2", "multi3", "sprite"]

    /// Whether the traces are on this machine.
    package static var arePresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

    /// The folder `traces` of `$MAGPIE_SHARED`, or of `shared` beside the package.
    private static var folder: URL {
        let shared =
            ProcessInfo.processInfo.environment["MAGPIE_SHARED"].map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: #filePath).appending(path: "../../../../shared").standardized
        return shared.appending(path: "traces")
    }

    package let requests: [Request]
    /// The sizes of all keys together.
    package let footprint: Int

    /// Reads the trace of a name; nil where it is missing, or `xz` is.
    package init?(named name: String) {
        let file = Self.folder.appending(path: "\(name).txt.xz").path
        guard FileManager.default.isReadableFile(atPath: file) else { return nil }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["xz", "--decompress", "--stdout", file]
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        self.init(requests: data.split(separator: UInt8(ascii: "\n")).compactMap(Self.request))
    }

    /// A trace of these requests.
    package init(requests: [Request]) {
        self.requests = requests
        var sizes: [Int: Int] = [:]
        for request in requests { sizes[request.key] = request.size }
        footprint = sizes.values.reduce(0, +)
    }

    /// The request in a line: a key, and its size unless that is 1.
    private static func request(_ line: Data) -> Request? {
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard let key = words.first.flatMap({ Int($0) }) else { return nil }
        return Request(key: key, size: words.dropFirst().first.flatMap { Int($0) } ?? 1)
    }
}
