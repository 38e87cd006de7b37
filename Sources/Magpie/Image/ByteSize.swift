/// A number of bytes, as limits are given: `.megabytes(64)`.
///
/// Units are binary: a kilobyte is 1024 bytes.
public struct ByteSize: Sendable, Hashable, Comparable {
    /// The number of bytes, never negative.
    public let bytes: Int

    /// A number of bytes; negative numbers count as 0.
    public static func bytes(_ count: Int) -> ByteSize {
        ByteSize(count, times: 1)
    }

    /// A number of kilobytes (1024 bytes).
    public static func kilobytes(_ count: Int) -> ByteSize {
        ByteSize(count, times: 1 << 10)
    }

    /// A number of megabytes (1024 kilobytes).
    public static func megabytes(_ count: Int) -> ByteSize {
        ByteSize(count, times: 1 << 20)
    }

    /// A number of gigabytes (1024 megabytes).
    public static func gigabytes(_ count: Int) -> ByteSize {
        ByteSize(count, times: 1 << 30)
    }

    /// No limit at all.
    public static let unlimited = ByteSize.bytes(.max)

    /// Orders sizes by their number of bytes.
    public static func < (left: ByteSize, right: ByteSize) -> Bool {
        left.bytes < right.bytes
    }

    private init(_ count: Int, times unit: Int) {
        let (product, overflow) = max(0, count).multipliedReportingOverflow(by: unit)
        bytes = overflow ? .max : product
    }
}

extension Duration {
    /// A number of days of 24 hours each, as the ages of cache entries are given.
    public static func days(_ count: Int) -> Duration {
        .seconds(86_400) * count
    }
}
