/// How large the header section of an answer may be, interim answers and trailers included.
public struct HTTPHeaderLimits: Sendable, Hashable {
    /// The bytes of all lines together.
    ///
    /// libcurl takes about 300 kB at most, and 100 kB in one line, whatever is allowed here.
    public var size: Int

    /// The number of fields.
    public var count: Int

    /// Makes limits; the defaults are far above what servers send in good order.
    public init(size: Int = 128 * 1024, count: Int = 1000) {
        self.size = size
        self.count = count
    }
}
