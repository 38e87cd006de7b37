import CXXHash

/// The name of a blob's file, made of its key: 32 hexadecimal digits of XXH3 (128 bits) and `.magpie`.
///
/// The hash need not withstand an adversary: the file holds the key as well, so that two keys of one name push each
/// other out and are never taken for each other.
struct BlobName: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// A name is a hash already.
    func hash(into hasher: inout Hasher) {
        hasher.combine(low)
    }

    private static let suffix: [UInt8] = Array(".magpie".utf8)
    private static let digits: [UInt8] = Array("0123456789abcdef".utf8)

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(key: String) {
        var key = key
        let hash = key.withUTF8 { XXH3_128bits($0.baseAddress, $0.count) }
        self.init(high: hash.high64, low: hash.low64)
    }

    /// The name in that of a file; nil for a file that is no blob's.
    init?(fileName: String) {
        let bytes = Array(fileName.utf8)
        guard bytes.count == 32 + Self.suffix.count, bytes[32...].elementsEqual(Self.suffix) else { return nil }
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        for byte in bytes.prefix(32) {
            guard let digit = Self.digits.firstIndex(of: byte) else { return nil }
            halves = (halves.high << 4 | halves.low >> 60, halves.low << 4 | UInt64(digit))
        }
        self.init(high: halves.high, low: halves.low)
    }

    /// The name of the file.
    var fileName: String {
        String(decoding: cString.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The name of the file as the system's functions take it.
    var cString: [CChar] {
        [CChar](unsafeUninitializedCapacity: 33 + Self.suffix.count) { buffer, count in
            for (start, half) in [(0, high), (16, low)] {
                for digit in 0..<16 {
                    let value = Int(half >> UInt64(60 - 4 * digit) & 15)
                    buffer[start + digit] = CChar(bitPattern: Self.digits[value])
                }
            }
            for (index, byte) in Self.suffix.enumerated() { buffer[32 + index] = CChar(bitPattern: byte) }
            buffer[32 + Self.suffix.count] = 0
            count = 33 + Self.suffix.count
        }
    }
}
