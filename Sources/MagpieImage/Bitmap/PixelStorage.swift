import Foundation

/// The memory behind a bitmap: aligned, zeroed, freed exactly once, by deinit.
///
/// `@unchecked Sendable`: it is written through ``BitmapBuffer`` only, which is its one owner until `finish` and cannot be
/// copied; afterwards nobody writes.
final class PixelStorage: @unchecked Sendable {
    /// A cache line, and enough for the widest vector loads.
    static let alignment = 64

    let bytes: UnsafeMutableRawBufferPointer
    private let allocation: UnsafeMutableRawPointer

    /// Asks for zeroed memory; nil where there is none.
    ///
    /// `calloc` hands large blocks out as fresh pages, which are zero without being written, hence the hand-made alignment.
    init?(byteCount: Int) {
        let (total, overflow) = byteCount.addingReportingOverflow(Self.alignment)
        guard byteCount >= 0, !overflow, let allocation = calloc(1, total) else { return nil }
        self.allocation = allocation
        let start = allocation.alignedUp(toMultipleOf: Self.alignment)
        bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }

    deinit {
        free(allocation)
    }
}
