import Foundation
@preconcurrency import Glibc
import Magpie

/// Writes a result whole or not at all.
enum OutputFile {
    /// Writes bytes to a file, by way of a temporary file beside it.
    ///
    /// - Parameter replaces: whether a file of that name may be replaced; without it, one that is there is left as it
    ///   is, and the writing fails.
    static func write(_ data: Data, to path: String, replaces: Bool) throws(Failure) {
        let temporary = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Failure(system: "cannot write \(path)", errno) }
        defer { unlink(temporary) }
        let number = data.writeAll(to: descriptor)
        guard close(descriptor) == 0, number == 0 else {
            throw Failure(system: "cannot write \(path)", number == 0 ? errno : number)
        }
        // A link fails where a file is; a rename replaces it.
        guard (replaces ? rename(temporary, path) : link(temporary, path)) == 0 else {
            if errno == EEXIST {
                let message = "\(path) exists already; pass --force to replace it, or -o to choose another name"
                throw Failure(code: "exists", message: message)
            }
            throw Failure(system: "cannot write \(path)", errno)
        }
    }

    /// Writes bytes to standard output.
    static func writeToStandardOutput(_ data: Data) throws(Failure) {
        let number = data.writeAll(to: STDOUT_FILENO)
        guard number == 0 else { throw Failure(system: "cannot write to standard output", number) }
    }

    /// Makes a folder, and those above it, unless it is there.
    static func makeFolder(_ path: String) throws(Failure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw Failure(code: "system", message: "cannot make the folder \(path); choose another with -o")
        }
    }
}
