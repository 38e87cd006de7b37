/// What a store keeps, and for how long.
package struct BlobLimits: Sendable, Equatable {
    /// What all files may take together, in bytes.
    package var maximumSize: Int

    /// How old an entry may become; nil for ever, zero for not at all.
    package var maximumAge: Duration?

    /// Which date says how old an entry is, and in which order entries leave.
    package var expiry: BlobDate

    /// What is left of `maximumSize` when a store that grew beyond it has trimmed itself, so that it rarely has to.
    package var lowWaterMark: Double

    /// Limits; by default none.
    package init(
        maximumSize: Int = .max,
        maximumAge: Duration? = nil,
        expiry: BlobDate = .access,
        lowWaterMark: Double = 0.8
    ) {
        self.maximumSize = maximumSize
        self.maximumAge = maximumAge
        self.expiry = expiry
        self.lowWaterMark = lowWaterMark
    }

    /// The last moment that is too old, in microseconds since 1970; nil when nothing is.
    func cutoff(at now: Int64) -> Int64? {
        guard let maximumAge else { return nil }
        let (seconds, attoseconds) = maximumAge.components
        // Ages beyond all dates expire nothing.
        guard seconds >= 0, seconds < 9_000_000_000_000 else { return nil }
        return now - seconds * 1_000_000 - attoseconds / 1_000_000_000_000
    }

    /// What a trim on growth leaves, in bytes.
    var lowWater: Int {
        Int(exactly: (Double(maximumSize) * min(1, max(0, lowWaterMark))).rounded(.down)) ?? maximumSize
    }
}
