import CLinux
import Foundation
import Synchronization

/// Watches the kernel's interfaces and routes on a thread of its own.
final class ReachabilityMonitor: Sendable {
    private let target: ReachabilityTarget
    private let prepareThread: (@Sendable () -> Void)?
    /// Readable once the monitor is to end; negative where the process had no descriptor left.
    private let end = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    private let isStopped = Atomic(false)

    init(target: ReachabilityTarget, prepareThread: (@Sendable () -> Void)?) {
        self.target = target
        self.prepareThread = prepareThread
    }

    deinit { close(end) }

    /// Calls `report` with the status now and with each other one that follows, on the monitor's thread.
    func start(_ report: @escaping @Sendable (NetworkReachability.Status) -> Void) {
        let thread = Thread { self.run(report) }
        thread.name = "magpie.reachability"
        thread.start()
    }

    /// Ends the thread; a report that is on its way may still come.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        _ = eventfd_write(end, 1)
    }

    /// What the kernel tells about: interfaces, addresses, routes.
    private static let groups = [
        RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV6_IFADDR, RTMGRP_IPV4_ROUTE, RTMGRP_IPV6_ROUTE,
    ]

    /// After how many milliseconds a name is looked up again that was not known.
    private static let lookUpPause: CInt = 5000

    private func run(_ report: (NetworkReachability.Status) -> Void) {
        prepareThread?()
        // Opened before the first look, so that no change is missed between the two.
        guard let news = NetlinkSocket(groups: Self.groups.reduce(0, |)), let questions = NetlinkSocket(groups: 0)
        else {
            return
        }
        var last: NetworkReachability.Status?
        var patience: CInt
        repeat {
            let addresses = target.addresses
            // Of a name that becomes known the kernel does not tell.
            patience = addresses.isEmpty ? Self.lookUpPause : -1
            let status = Self.status(of: addresses, by: questions)
            if status != last, !isStopped.load(ordering: .relaxed) { report(status) }
            last = status
        } while news.waitForNews(orEnd: end, patience: patience)
    }

    /// The first way that leads anywhere.
    private static func status(of addresses: [NetworkAddress], by socket: borrowing NetlinkSocket)
        -> NetworkReachability.Status
    {
        for address in addresses {
            guard let index = socket.route(to: address), let interface = socket.interface(index), interface.isRunning
            else { continue }
            return .reachable(interface.connection)
        }
        return .notReachable
    }
}
