import Foundation

/// A file system of one megabyte, in memory, for what happens when a disk is full.
struct SmallDisk {
    let url: URL

    /// Whether this process may mount one.
    static let isAvailable: Bool = {
        guard geteuid() == 0 else { return false }
        let place = FileManager.default.temporaryDirectory.appending(path: "magpie-\(UUID().uuidString)")
        guard let disk = try? SmallDisk(at: place) else { return false }
        disk.unmount()
        try? FileManager.default.removeItem(at: place)
        return true
    }()

    /// Mounts it in a new folder inside `folder`.
    init(at folder: URL) throws {
        url = folder.appending(path: "disk", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        guard mount("magpie", url.path, "tmpfs", 0, "size=1m") == 0 else { throw POSIXError(.EPERM) }
    }

    /// Makes room.
    func enlarge() { mount("magpie", url.path, "tmpfs", UInt(MS_REMOUNT), "size=8m") }

    func unmount() { umount2(url.path, CInt(MNT_DETACH)) }
}
