import CXXHash
import Foundation

/// XXH3 (64 bits) of bytes that come in parts.
///
/// Not thread-safe: its owner uses it from one thread at a time.
final class RunningHash {
    private let state = XXH3_createState()

    init() {
        XXH3_64bits_reset(state)
    }

    deinit {
        XXH3_freeState(state)
    }

    func add(_ data: Data) {
        data.withUnsafeBytes { magpie_xxh3_64bits_update(state, $0.baseAddress, $0.count) }
    }

    /// The hash of what was added so far.
    var value: UInt64 {
        XXH3_64bits_digest(state)
    }
}
