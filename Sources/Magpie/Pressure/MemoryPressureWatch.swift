import Foundation

/// A thread that waits for memory pressure and reports each level that it reads, until it is stopped.
///
/// With triggers it sleeps until the kernel tells of stalls; without, and while there is pressure, it reads the files
/// at intervals.
final class MemoryPressureWatch: Sendable {
    /// The end of a pipe; closing it stops the thread.
    private let stop: Int32

    /// Starts a thread; nil when the system has no more descriptors.
    ///
    /// - Parameters:
    ///   - files: what is read.
    ///   - interval: how long it waits between two readings.
    ///   - triggers: what the kernel tells of; they are closed in the end.
    ///   - report: told the level after each reading, on the thread.
    init?(
        files: MemoryPressureFiles,
        interval: Duration,
        triggers: @escaping @Sendable () -> [MemoryPressureTrigger],
        report: @escaping @Sendable (MemoryPressureLevel) -> Void
    ) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let stopped = ends[0]
        stop = ends[1]
        let milliseconds = Int32(clamping: Int64(max(1, interval / .milliseconds(1))))
        let thread = Thread {
            Self.run(files, milliseconds, until: stopped, triggers: triggers(), report: report)
            close(stopped)
        }
        thread.name = "magpie.pressure"
        thread.start()
    }

    deinit {
        close(stop)
    }

    private static func run(
        _ files: MemoryPressureFiles,
        _ interval: Int32,
        until stopped: Int32,
        triggers: [MemoryPressureTrigger],
        report: (MemoryPressureLevel) -> Void
    ) {
        var triggers = triggers
        defer { triggers.forEach { close($0.descriptor) } }
        var told = MemoryPressureLevel.normal
        while true {
            let level = max(told, files.read()?.level ?? .normal)
            report(level)
            var polled = [pollfd(fd: stopped, events: Int16(POLLIN), revents: 0)]
            polled += triggers.map { pollfd(fd: $0.descriptor, events: Int16(POLLPRI), revents: 0) }
            let mayRest = !triggers.isEmpty && level == .normal
            let count = poll(&polled, nfds_t(polled.count), mayRest ? -1 : interval)
            guard count >= 0 || errno == EINTR, polled[0].revents == 0 else { return }
            told = .normal
            for (trigger, event) in zip(triggers, polled.dropFirst()) where event.revents & Int16(POLLPRI) != 0 {
                told = max(told, trigger.level)
            }
            // An error means that what the trigger watched is gone.
            let broken = zip(triggers, polled.dropFirst()).filter { $1.revents & Int16(POLLERR | POLLNVAL) != 0 }.map(
                \.0
            )
            broken.forEach { close($0.descriptor) }
            triggers.removeAll { trigger in broken.contains { $0.descriptor == trigger.descriptor } }
        }
    }
}
