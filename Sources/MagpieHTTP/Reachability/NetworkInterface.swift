import CLinux
import Foundation

/// A network interface as the kernel describes it.
struct NetworkInterface {
    /// Whether it is switched on and has a carrier.
    let isRunning: Bool

    /// What it connects to.
    let connection: NetworkReachability.Connection

    /// Makes an interface of the kernel's answer.
    init(_ answer: NetlinkAnswer<ifinfomsg>) {
        let flags = answer.message.ifi_flags
        isRunning = flags & UInt32(IFF_UP) != 0 && flags & UInt32(IFF_RUNNING) != 0
        let name = answer.attribute(IFLA_IFNAME).map(Self.text) ?? ""
        let info = answer.attribute(IFLA_LINKINFO).map(NetlinkAttributes.init)
        let kind = info?[IFLA_INFO_KIND].map(Self.text) ?? ""
        connection = .init(type: answer.message.ifi_type, kind: kind, device: Self.deviceType(of: name))
    }

    /// The kind of device, as its driver tells the system.
    private static func deviceType(of name: String) -> String {
        // The name is a part of a path, and the kernel allows no slash in it.
        let text = try? String(contentsOfFile: "/sys/class/net/\(name)/uevent", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }
        return line.map { String($0.dropFirst(8)) } ?? ""
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension NetworkReachability.Connection {
    /// Says what an interface connects to.
    ///
    /// - Parameters:
    ///   - type: The hardware type (`ARPHRD_…`).
    ///   - kind: The name of the driver of a virtual interface, else empty.
    ///   - device: The kind of device by its driver: `wlan`, `wwan` or others.
    package init(type: UInt16, kind: String, device: String) {
        if device == "wlan" || Self.hardwareOfWirelessNetworks.contains(type) {
            self = .wireless
        } else if device == "wwan" || kind == "wwan" || type == Self.hardwareOfModems {
            self = .cellular
        } else {
            self = type == Self.hardwareOfEthernet && !Self.kindsWithoutCable.contains(kind) ? .wired : .other
        }
    }

    /// `ARPHRD_ETHER` of <net/if_arp.h>.
    private static let hardwareOfEthernet: UInt16 = 1

    /// `ARPHRD_IEEE80211`, `ARPHRD_IEEE80211_PRISM` and `ARPHRD_IEEE80211_RADIOTAP`.
    private static let hardwareOfWirelessNetworks: ClosedRange<UInt16> = 801...803

    /// `ARPHRD_RAWIP`: packets without a frame, as modems take them.
    private static let hardwareOfModems: UInt16 = 519

    /// Virtual interfaces that look like Ethernet and lead into a program, a tunnel or nowhere.
    private static let kindsWithoutCable: Set<String> = [
        "dummy", "tun", "vxlan", "geneve", "gretap", "ip6gretap", "ifb",
    ]
}
