import Foundation
import MagpieConcurrency
import MagpieHTTP

/// The progress of one transfer on a terminal: a bar, the bytes, and how fast they come.
final class TransferBar: Sendable {
    private let name: String
    private let start = ContinuousClock.now
    private let lastShown = Lock<ContinuousClock.Instant?>(nil)

    private static let width = 24
    private static let interval = Duration.milliseconds(100)

    init(name: String) {
        self.name = name
    }

    /// Shows how far the transfer is, a few times a second; does nothing where standard error is no terminal.
    func show(_ progress: HTTPProgress) {
        guard Console.showsProgress else { return }
        let now = ContinuousClock.now
        let isDue = lastShown.withLock { last in
            if let last, now - last < Self.interval, !progress.isComplete { return false }
            last = now
            return true
        }
        if isDue { Console.progress(line(progress, elapsed: now - start)) }
    }

    /// Takes the bar off the terminal.
    func clear() { Console.progress("") }

    private func line(_ progress: HTTPProgress, elapsed: Duration) -> String {
        let rate = Double(progress.completed) / max(0.001, elapsed / .seconds(1))
        let amount = "\(Self.size(Double(progress.completed))), \(Self.size(rate))/s"
        guard let fraction = progress.fraction else { return "\(name)  \(amount)" }
        let filled = Int((fraction * Double(Self.width)).rounded(.down))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
        return "\(name)  [\(bar)] \(Int((fraction * 100).rounded(.down))) %  \(amount)"
    }

    private static func size(_ bytes: Double) -> String {
        var value = bytes
        for unit in ["B", "kB", "MB"] {
            if value < 1000 { return String(format: unit == "B" ? "%.0f %@" : "%.1f %@", value, unit) }
            value /= 1000
        }
        return String(format: "%.1f GB", value)
    }
}
