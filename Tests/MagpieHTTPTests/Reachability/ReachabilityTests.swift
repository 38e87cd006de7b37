import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Whether there is a way, as links go up and down.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: NetworkNamespace.isAvailable, "root, iproute2 and network namespaces are needed")
)
struct ReachabilityTests {
    private let namespace = NetworkNamespace()
    private let seen = Recorder<NetworkReachability.Status>()

    private func monitor(_ target: ReachabilityTarget) -> NetworkReachability {
        let monitor = NetworkReachability(target: target) { [namespace] in namespace.enter() }
        monitor.startMonitoring { [seen] in seen.record($0) }
        return monitor
    }

    private let plug = """
        ip link add v0 type veth peer name v1
        ip addr add 10.9.0.1/24 dev v0
        ip link set v0 up
        ip link set v1 up
        """

    @Test func theNetworkIsThereWithADefaultRouteAndACarrier() async throws {
        let monitor = monitor(.network)
        #expect(await seen.elements(1) == [.notReachable])
        try namespace.run(plug)
        try namespace.run("ip route add default via 10.9.0.2")
        #expect(await seen.elements(2).last == .reachable(.wired))
        #expect(monitor.isReachable)
        // The cable is pulled at the other end, and put in again.
        try namespace.run("ip link set v1 down")
        #expect(await seen.elements(3).last == .notReachable)
        try namespace.run("ip link set v1 up")
        #expect(await seen.elements(4).last == .reachable(.wired))
        // The interface is switched off; the route goes with it.
        try namespace.run("ip link set v0 down")
        #expect(await seen.elements(5).last == .notReachable)
        #expect(monitor.status == .notReachable)
        // What changes nothing is not told.
        try namespace.run("ip link set lo up; ip link set v0 up; ip route add default via 10.9.0.2")
        #expect(await seen.elements(6).last == .reachable(.wired))
        #expect(seen.elements.count == 6)
    }

    @Test func anAddressNeedsNoDefaultRoute() async throws {
        let monitor = monitor(.address(try #require(NetworkAddress("10.9.0.7"))))
        #expect(await seen.elements(1) == [.notReachable])
        try namespace.run(plug)
        #expect(await seen.elements(2).last == .reachable(.wired))
        try namespace.run("ip route add unreachable 10.9.0.7")
        #expect(await seen.elements(3).last == .notReachable)
        try namespace.run("ip route del unreachable 10.9.0.7; ip link del v0")
        _ = monitor
    }

    @Test func thisMachineIsReachableOnceItsInterfaceIsUp() async throws {
        for address in ["127.0.0.1", "::1"] {
            let (namespace, seen) = (NetworkNamespace(), Recorder<NetworkReachability.Status>())
            let target = ReachabilityTarget.host(address)
            let monitor = NetworkReachability(target: target) { namespace.enter() }
            monitor.startMonitoring { seen.record($0) }
            #expect(await seen.elements(1) == [.notReachable])
            try namespace.run("ip link set lo up")
            #expect(await seen.elements(2).last == .reachable(.other))
        }
    }

    @Test func changesAreASequence() async throws {
        let monitor = NetworkReachability(target: .network) { [namespace] in namespace.enter() }
        #expect(monitor.status == .unknown)
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next() == .notReachable)
        try namespace.run(plug)
        try namespace.run("ip route add default via 10.9.0.2")
        #expect(await changes.next() == .reachable(.wired))
        // Whoever comes later hears at once how things are.
        var later = monitor.changes.makeAsyncIterator()
        #expect(await later.next() == .reachable(.wired))
        monitor.stopMonitoring()
        try? namespace.run("ip link set v0 down")
        #expect(monitor.status == .reachable(.wired))
    }
}

/// What is true on any machine.
@Suite(.timeLimit(.minutes(1)))
struct ReachabilityBasicsTests {
    @Test("AFNetworking 40: address and host monitors start unknown, and report once they are started")
    func startsUnknown() async throws {
        let monitors = [
            NetworkReachability(host: "localhost"), try #require(NetworkReachability(address: "127.0.0.1")),
        ]
        for monitor in monitors {
            #expect(monitor.status == .unknown)
            #expect(!monitor.isReachable)
            let seen = Recorder<NetworkReachability.Status>()
            monitor.startMonitoring { seen.record($0) }
            #expect(await seen.elements(1) == [.reachable(.other)])
            #expect(monitor.status == .reachable(.other))
            // Started anew it tells again how things are.
            monitor.startMonitoring { seen.record($0) }
            #expect(await seen.elements(2).count == 2)
        }
    }

    @Test func theSequenceEndsWithTheMonitor() async throws {
        var monitor: NetworkReachability? = NetworkReachability(host: "localhost")
        var changes = monitor?.changes.makeAsyncIterator()
        #expect(await changes?.next() == .reachable(.other))
        monitor = nil
        #expect(await changes?.next() == nil)
    }

    @Test func whatIsNoAddress() {
        for text in ["", "localhost", "1.2.3", "1.2.3.4.5", "::g", "1.2.3.4/8"] {
            #expect(NetworkReachability(address: text) == nil, "\(text)")
        }
        #expect(NetworkReachability(address: "[::1]") != nil)
    }

    @Test func aHostThatNobodyKnowsIsNotReachable() async {
        let monitor = NetworkReachability(host: "no-such-host.invalid")
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next() == .notReachable)
    }

    @Test(
        arguments: [
            (1, "", "", NetworkReachability.Connection.wired), (1, "veth", "", .wired), (1, "bridge", "bridge", .wired),
            (1, "", "wlan", .wireless), (801, "", "", .wireless), (1, "", "wwan", .cellular), (519, "", "", .cellular),
            (1, "wwan", "", .cellular), (772, "", "", .other), (65534, "wireguard", "", .other), (1, "tun", "", .other),
            (1, "dummy", "", .other),
        ] as [(UInt16, String, String, NetworkReachability.Connection)]
    )
    func kindsOfInterfaces(
        _ type: UInt16,
        _ kind: String,
        _ device: String,
        _ expected: NetworkReachability.Connection
    ) {
        #expect(NetworkReachability.Connection(type: type, kind: kind, device: device) == expected)
    }
}
