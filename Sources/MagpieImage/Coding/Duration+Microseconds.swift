extension Duration {
    /// Rounded down; the largest integer where it does not fit.
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? Int64.max : whole &+ attoseconds / 1_000_000_000_000
    }
}
