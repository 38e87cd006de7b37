import Foundation
import MagpieStorage

/// Stores, reads, removes and trims without end, as one of several processes on a folder, until it is killed.
struct StressWorker {
    /// The keys that all workers use.
    static let keys = (0..<64).map { "https://images.example.org/\($0).jpg" }
    static let limits = BlobLimits(maximumSize: 1 << 20)

    let store: BlobStore
    private var random = SystemRandomNumberGenerator()

    init(folder: URL) {
        store = BlobStore(folder: folder, limits: Self.limits)
    }

    /// Bytes that tell by themselves whether they are whole and whose they are.
    static func bytes(for key: String, count: Int) -> Data {
        let pattern = Data("\(key) \(count) ".utf8)
        var data = Data(capacity: count + pattern.count)
        while data.count < count { data.append(pattern) }
        return data.prefix(count)
    }

    /// Whether what was found under a key is what some worker stored there.
    static func isRight(_ blob: Blob, for key: String) -> Bool {
        blob.data == bytes(for: key, count: blob.data.count) && blob.metadata == Data("\(blob.data.count)".utf8)
    }

    mutating func run() -> Never {
        while true {
            let key = Self.keys.randomElement(using: &random) ?? ""
            switch Int.random(in: 0..<20, using: &random) {
            case 0: store.remove(key)
            case 1: store.trim()
            case 2: store.flush()
            case 3: _ = store.totals
            case 4..<10: read(key)
            case 10..<13: writeInParts(key)
            default: write(key)
            }
        }
    }

    private mutating func write(_ key: String) {
        let count = Int.random(in: 0..<100_000, using: &random)
        store.write(Self.bytes(for: key, count: count), metadata: Data("\(count)".utf8), for: key)
    }

    private mutating func writeInParts(_ key: String) {
        let bytes = Self.bytes(for: key, count: Int.random(in: 0..<100_000, using: &random))
        guard let writer = store.writer(for: key) else { return }
        writer.append(bytes.prefix(bytes.count / 2))
        writer.append(bytes.dropFirst(bytes.count / 2))
        writer.commit(metadata: Data("\(bytes.count)".utf8))
    }

    private func read(_ key: String) {
        guard let blob = store.blob(for: key) else { return }
        if !Self.isRight(blob, for: key) {
            print("torn or foreign bytes under \(key)")
            exit(3)
        }
    }
}
