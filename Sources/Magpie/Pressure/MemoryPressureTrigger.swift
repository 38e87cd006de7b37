import Foundation

/// A request to the kernel to tell of stalls, instead of asking for them (psi.rst, "Monitoring for pressure thresholds").
///
/// Told by `POLLPRI` on the descriptor; ends when that is closed.
struct MemoryPressureTrigger: Sendable {
    let descriptor: Int32
    /// The level that it tells of.
    let level: MemoryPressureLevel

    /// The triggers of a file of pressure stall information; none where the kernel or the permissions have none.
    static func open(_ path: String) -> [MemoryPressureTrigger] {
        // In microseconds: stalls of so long, within so long. Only windows of whole two seconds are open to everybody.
        [("some 200000 2000000", .warning), ("full 100000 2000000", .critical)].compactMap { request, level in
            open(path, request: request).map { MemoryPressureTrigger(descriptor: $0, level: level) }
        }
    }

    private static func open(_ path: String, request: String) -> Int32? {
        #if os(Linux)
        let descriptor = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        // A request is written to nothing but the kernel.
        let bytes = Array(request.utf8CString)
        guard isOfKernel(descriptor),
            bytes.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == bytes.count
        else {
            close(descriptor)
            return nil
        }
        return descriptor
        #else
        return nil
        #endif
    }

    /// Whether a file lies where the kernel shows itself, and holds nothing on any disk.
    private static func isOfKernel(_ descriptor: Int32) -> Bool {
        var file = stat()
        guard fstat(descriptor, &file) == 0, file.st_size == 0 else { return false }
        return ["/proc", "/sys/fs/cgroup"].contains { path in
            var folder = stat()
            return stat(path, &folder) == 0 && folder.st_dev == file.st_dev
        }
    }
}
