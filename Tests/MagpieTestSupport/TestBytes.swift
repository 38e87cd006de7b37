public import Foundation

/// Bytes for tests.
public enum TestBytes {
    /// `count` bytes in which a part that is missing, doubled or moved shows: a block of a prime length, repeated.
    public static func pattern(count: Int) -> Data {
        let block = Data((0..<4093).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 4)) })
        var data = Data(capacity: count + block.count)
        while data.count < count { data.append(block) }
        return Data(data.prefix(count))
    }
}
