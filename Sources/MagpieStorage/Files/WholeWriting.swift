package import Foundation
import Glibc

extension Data {
    /// Writes all bytes to a file descriptor, which takes them in as many parts as it likes.
    ///
    /// Blocks.
    ///
    /// - Returns: 0, or the `errno` of the write that failed.
    package func writeAll(to descriptor: Int32) -> Int32 {
        withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            var rest = bytes[...]
            while !rest.isEmpty {
                let wrote = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if wrote < 0, errno == EINTR { continue }
                guard wrote > 0 else { return wrote < 0 ? errno : EIO }
                rest = rest.dropFirst(wrote)
            }
            return 0
        }
    }
}
