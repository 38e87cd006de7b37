import Foundation

/// The memory behind a bitmap: aligned, zeroed, freed exactly once, by deinit.
///
/// `@unchecked Sendable`: it is written through ``BitmapBuffer`` only, which is its one owner until `finish` and cannot be
/// copied; afterwards nobody writes.
final class PixelStorage: @unchecked Sendable {
    /// A cache line, and enough for the widest vector loads.
    static let alignment = 64
    private static let hugePage = 2 << 20

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
        preferHugePages()
    }

    /// Asks for pages of 2 MiB inside a large block: a third of the time of a full decode went into faulting small ones in.
    private func preferHugePages() {
        #if os(Linux)
        guard let start = bytes.baseAddress, bytes.count >= 2 * Self.hugePage else { return }
        let first = start.alignedUp(toMultipleOf: Self.hugePage)
        let end = (start + bytes.count).alignedDown(toMultipleOf: Self.hugePage)
        // Advice only: where it is not taken, nothing is lost.
        _ = madvise(first, end - first, MADV_HUGEPAGE)
        #endif
    }

    deinit {
        free(allocation)
    }
}
