public import Foundation
import MagpieConcurrency

/// The hosts that want TLS only (HSTS, RFC 6797).
///
/// May be shared by sessions and used from any thread. With a file, which has the format of the `curl` program, the
/// hosts outlive the process: it is read when the store is made, and written soon after a change.
public final class HSTSStore: Sendable {
    private struct State {
        var hosts: [String: Entry] = [:]
        var isWriting = false
        var isChanged = false
    }

    private struct Entry {
        let expiry: Date
        let includesSubdomains: Bool
    }

    /// Where the hosts are kept; `nil` keeps them in memory.
    public let file: URL?

    private let state: Lock<State>
    private let now: @Sendable () -> Date

    /// How many hosts are remembered at most: any name below a domain can ask for it.
    private static let maximumCount = 10_000

    private static let writer = WorkerPool(name: "magpie-hsts", width: 1)

    /// Makes a store that remembers for as long as it lives.
    public convenience init() { self.init(file: nil, now: { Date() }) }

    /// Makes a store over a file, which is read at once; one that is missing or damaged counts as empty.
    public convenience init(file: URL) { self.init(file: file, now: { Date() }) }

    init(file: URL?, now: @escaping @Sendable () -> Date) {
        self.file = file
        self.now = now
        let text = file.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? ""
        var hosts: [String: Entry] = [:]
        for line in text.split(separator: "\n").prefix(Self.maximumCount) {
            if let (host, entry) = Self.read(line) { hosts[host] = entry }
        }
        state = Lock(State(hosts: hosts))
    }

    /// Whether `host` is to be asked over TLS only.
    public func contains(_ host: String) -> Bool {
        let now = now()
        return state.withLock { state in
            guard !state.hosts.isEmpty else { return false }
            let host = HostName.normalized(host)
            if let entry = state.hosts[host], entry.expiry > now { return true }
            var rest = host[...]
            while let dot = rest.firstIndex(of: ".") {
                rest = rest[rest.index(after: dot)...]
                if let entry = state.hosts[String(rest)], entry.includesSubdomains, entry.expiry > now { return true }
            }
            return false
        }
    }

    /// The address to ask instead of `url`: with `https` where its host is to be asked over TLS only (RFC 6797 §8.3).
    public func secured(_ url: URL) -> URL {
        guard !isEmpty, url.scheme?.lowercased() == "http", contains(HostName.of(url)),
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        components.scheme = "https"
        if components.port == 80 { components.port = nil }
        return components.url ?? url
    }

    /// Notes what the host of `url` asks for in `value`, a `Strict-Transport-Security` field (RFC 6797 §8.1).
    ///
    /// Only what came over TLS, from a server whose certificate was not merely tolerated, may be noted. Addresses and
    /// malformed values are ignored.
    public func note(_ value: String, from url: URL) {
        let host = HostName.of(url)
        guard let field = HSTSField(value), !host.isEmpty, !HostName.isAddress(host) else { return }
        let expiry = now().addingTimeInterval(TimeInterval(field.maximumAge))
        state.withLock { state in
            if field.maximumAge == 0 {
                state.hosts[host] = nil
            } else if state.hosts[host] != nil || makeRoom(in: &state.hosts) {
                state.hosts[host] = Entry(expiry: expiry, includesSubdomains: field.includesSubdomains)
            }
        }
        scheduleWriting()
    }

    /// Forgets all hosts.
    public func removeAll() {
        state.withLock { $0.hosts = [:] }
        scheduleWriting()
    }

    private var isEmpty: Bool { state.withLock { $0.hosts.isEmpty } }

    /// Whether there is room for one more, after those whose time is over have gone.
    private func makeRoom(in hosts: inout [String: Entry]) -> Bool {
        guard hosts.count >= Self.maximumCount else { return true }
        let now = now()
        hosts = hosts.filter { $0.value.expiry > now }
        return hosts.count < Self.maximumCount
    }
}

// MARK: - The file

extension HSTSStore {
    private func scheduleWriting() {
        guard file != nil else { return }
        let isIdle = state.withLock { state in
            state.isChanged = true
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isIdle { Self.writer.run { self.write() } }
    }

    /// Writes until nothing has changed meanwhile; a file that cannot be written costs no more than the memory of it.
    private func write() {
        while let hosts = nextHosts() {
            let lines = hosts.sorted { $0.key < $1.key }.map { host, entry in
                "\(entry.includesSubdomains ? "." : "")\(host) \"\(Self.text(of: entry.expiry))\"\n"
            }
            guard let file else { return }
            try? Data(lines.joined().utf8).write(to: file, options: .atomic)
        }
    }

    private func nextHosts() -> [String: Entry]? {
        state.withLock { state in
            guard state.isChanged else {
                state.isWriting = false
                return nil
            }
            state.isChanged = false
            return state.hosts
        }
    }

    /// Reads a line such as `.example.com "20261231 23:59:59"`; the dot includes the hosts below.
    private static func read(_ line: Substring) -> (String, Entry)? {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0] != "#", let expiry = date(of: parts[1].filter { $0 != "\"" }) else {
            return nil
        }
        let includesSubdomains = parts[0].hasPrefix(".")
        let host = HostName.normalized(String(includesSubdomains ? parts[0].dropFirst() : parts[0]))
        return host.isEmpty ? nil : (host, Entry(expiry: expiry, includesSubdomains: includesSubdomains))
    }

    private static func text(of date: Date) -> String {
        let values = calendar.dateComponents(parts, from: date)
        return String(
            format: "%04d%02d%02d %02d:%02d:%02d",
            values.year ?? 0,
            values.month ?? 0,
            values.day ?? 0,
            values.hour ?? 0,
            values.minute ?? 0,
            values.second ?? 0
        )
    }

    private static func date(of text: String) -> Date? {
        if text == "unlimited" { return .distantFuture }
        let digits = text.utf8.compactMap { (0x30...0x39).contains($0) ? Int($0) - 0x30 : nil }
        guard digits.count == 14 else { return nil }
        let number = { (range: Range<Int>) in digits[range].reduce(0) { $0 * 10 + $1 } }
        let components = DateComponents(
            year: number(0..<4),
            month: number(4..<6),
            day: number(6..<8),
            hour: number(8..<10),
            minute: number(10..<12),
            second: number(12..<14)
        )
        // A calendar takes a 32nd of December for the first of January.
        guard let date = calendar.date(from: components), Self.text(of: date) == text else { return nil }
        return date
    }

    private static let parts: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute, .second]

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}

extension HSTSStore: Hashable {
    /// A store is equal to itself only.
    public static func == (left: HSTSStore, right: HSTSStore) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
