import Foundation

/// A file's bytes at an address that stays, for a C library that reads them again and again.
///
/// `@unchecked Sendable`: nobody writes after `init`.
final class FileBytes: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer

    init(_ data: Data) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, data.count), alignment: 16)
        data.copyBytes(to: copy, count: data.count)
        bytes = UnsafeRawBufferPointer(rebasing: copy[..<data.count])
    }

    deinit { bytes.deallocate() }
}
