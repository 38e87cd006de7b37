import CLinux
import Foundation

/// A question to the kernel: a header, a message and attributes (netlink(7)).
struct NetlinkRequest {
    private var body: [UInt8]
    private let type: Int

    init(type: Int, _ message: some BitwiseCopyable) {
        self.type = type
        body = withUnsafeBytes(of: message) { Array($0) }
    }

    /// Adds an attribute.
    mutating func append(_ type: Int, _ value: [UInt8]) {
        var header = rtattr()
        header.rta_len = UInt16(MemoryLayout<rtattr>.size + value.count)
        header.rta_type = UInt16(type)
        withUnsafeBytes(of: header) { body.append(contentsOf: $0) }
        body.append(contentsOf: value)
        while body.count % 4 != 0 { body.append(0) }
    }

    /// The question as it is sent.
    var bytes: [UInt8] {
        var header = nlmsghdr()
        header.nlmsg_len = UInt32(MemoryLayout<nlmsghdr>.size + body.count)
        header.nlmsg_type = UInt16(type)
        header.nlmsg_flags = UInt16(NLM_F_REQUEST)
        return withUnsafeBytes(of: header) { Array($0) } + body
    }
}

/// The kernel's answer: a message of the kind that was asked for, and its attributes.
struct NetlinkAnswer<Message: BitwiseCopyable> {
    /// What comes before the attributes.
    let message: Message

    private let attributes: NetlinkAttributes

    /// Reads an answer; `nil` where it is an error or another message.
    init?(_ bytes: ArraySlice<UInt8>, type: Int) {
        guard let header = bytes.load(as: nlmsghdr.self), Int(header.nlmsg_type) == type,
            Int(header.nlmsg_len) <= bytes.count
        else { return nil }
        let body = bytes.prefix(Int(header.nlmsg_len)).dropFirst(MemoryLayout<nlmsghdr>.size)
        guard let message = body.load(as: Message.self) else { return nil }
        self.message = message
        attributes = NetlinkAttributes(bytes: body.dropFirst(MemoryLayout<Message>.size))
    }

    /// The value of an attribute.
    func attribute(_ type: Int) -> ArraySlice<UInt8>? { attributes[type] }
}

/// Attributes one after another: the length and the type of each, then its value, filled up to 4 bytes.
struct NetlinkAttributes {
    let bytes: ArraySlice<UInt8>

    /// The bits of a type that say what it is, and not how it is written (`NLA_TYPE_MASK`).
    private static let typeMask: UInt16 = 0x3FFF

    /// The value of the first attribute of a type.
    subscript(type: Int) -> ArraySlice<UInt8>? {
        var rest = bytes
        let headerSize = MemoryLayout<rtattr>.size
        while let header = rest.load(as: rtattr.self) {
            let length = Int(header.rta_len)
            guard length >= headerSize, length <= rest.count else { return nil }
            if Int(header.rta_type & Self.typeMask) == type { return rest.prefix(length).dropFirst(headerSize) }
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// The value that the bytes begin with, or `nil` where they are too few.
    func load<Value: BitwiseCopyable>(as type: Value.Type) -> Value? {
        guard count >= MemoryLayout<Value>.size else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(as: type) }
    }
}
