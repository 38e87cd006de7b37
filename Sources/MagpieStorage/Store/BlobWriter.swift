package import Foundation
import Glibc
import MagpieConcurrency

/// Writes one blob in parts; nothing of it can be seen before all is there.
///
/// A writer that is let go without `commit` leaves nothing. Calls block; they may come from any thread.
package final class BlobWriter: Sendable {
    private struct State {
        var descriptor: Int32
        let hash = RunningHash()
        var length = 0
        var hasFailed = false
    }

    private let key: String
    private let name: BlobName
    private let directory: StoreDirectory
    private let keeper: IndexKeeper
    private let unfinishedName: String
    private let state: Lock<State>

    init?(key: String, in directory: StoreDirectory, _ keeper: IndexKeeper) {
        self.key = key
        self.directory = directory
        self.keeper = keeper
        name = BlobName(key: key)
        let identifier = keeper.willChange(name, in: directory) ?? "unlisted"
        unfinishedName = ".\(identifier)-\(UInt64.random(in: 0 ... .max))\(StoreDirectory.unfinishedSuffix)"
        let descriptor = directory.create(unfinishedName)
        state = Lock(State(descriptor: descriptor))
        if descriptor < 0 { return nil }
    }

    deinit {
        _ = end { _ in false }
    }

    /// Adds bytes behind those before; false when they could not be written, and nothing of the blob will be.
    @discardableResult
    package func append(_ data: Data) -> Bool {
        state.withLock { state in
            guard state.descriptor >= 0, !state.hasFailed else { return false }
            state.hash.add(data)
            state.length += data.count
            state.hasFailed = data.writeAll(to: state.descriptor) != 0
            return !state.hasFailed
        }
    }

    /// Puts the blob under its key, in place of the one before; false when that could not be done.
    @discardableResult
    package func commit(metadata: Data = Data()) -> Bool {
        end { state in
            let trailer = BlobFormat.trailer(
                bodyLength: state.length,
                bodyHash: state.hash.value,
                metadata: metadata,
                key: key
            )
            guard !state.hasFailed, let trailer, trailer.writeAll(to: state.descriptor) == 0 else { return false }
            state.length += trailer.count
            return renameat(directory.descriptor, unfinishedName, directory.descriptor, name.cString) == 0
        }
    }

    /// Gives up; nothing of the blob stays.
    package func cancel() {
        _ = end { _ in false }
    }

    private func end(_ finish: (inout State) -> Bool) -> Bool {
        let outcome: (isKept: Bool, size: Int)? = state.withLock { state in
            guard state.descriptor >= 0 else { return nil }
            let isKept = finish(&state)
            close(state.descriptor)
            state.descriptor = -1
            return (isKept, state.length)
        }
        guard let outcome else { return false }
        if !outcome.isKept { unlinkat(directory.descriptor, unfinishedName, 0) }
        keeper.didChange(name, growth: outcome.isKept ? outcome.size : 0)
        return outcome.isKept
    }
}
