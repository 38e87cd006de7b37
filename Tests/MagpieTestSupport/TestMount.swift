public import Foundation

/// A file system of its own for a test, taken away with the object; needs the right to mount.
public final class TestMount: Sendable {
    /// Whether this process may mount.
    public static let isAllowed: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        return (try? TestMount(at: folder.url, megabytes: 1)) != nil
    }()

    private let url: URL

    /// Puts an empty file system in memory over a folder.
    ///
    /// - Parameters:
    ///   - url: The folder, which is there.
    ///   - megabytes: How much it holds.
    public init(at url: URL, megabytes: Int) throws {
        self.url = url
        try Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", url.path)
    }

    /// Puts a folder over itself, to be read only, by the superuser too.
    public init(readOnly url: URL) throws {
        self.url = url
        try Self.run("mount", "--bind", url.path, url.path)
        try Self.run("mount", "-o", "remount,bind,ro", url.path)
    }

    deinit { try? Self.run("umount", "-l", url.path) }

    private static func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }
}
