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
        var system = statfs()
        let isOfKernel = fstatfs(descriptor, &system) == 0 && kernelFileSystems.contains(Int(system.f_type))
        let bytes = Array(request.utf8CString)
        guard isOfKernel, bytes.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == bytes.count else {
            close(descriptor)
            return nil
        }
        return descriptor
        #else
        return nil
        #endif
    }

    /// Those of `/proc` and of control groups of version 2 (linux/magic.h).
    private static let kernelFileSystems: Set<Int> = [0x9fa0, 0x6367_7270]
}
