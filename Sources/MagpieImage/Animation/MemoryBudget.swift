import Foundation

/// How much memory the frames of an animation may take where nobody says.
enum MemoryBudget {
    /// The smaller of a fifth of all memory and three fifths of what is free, in bytes.
    static var frames: Int {
        let total = Int(clamping: ProcessInfo.processInfo.physicalMemory)
        return min(total / 5, (available ?? total) / 5 * 3)
    }

    /// `MemAvailable` of proc(5).
    private static var available: Int? {
        guard let text = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("MemAvailable:") }),
            let number = line.split(separator: " ").dropFirst().first, let kilobytes = Int(number)
        else { return nil }
        return kilobytes * 1024
    }
}
