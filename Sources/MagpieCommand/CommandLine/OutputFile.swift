import Foundation
@preconcurrency import Glibc
import Magpie
import MagpieStorage

/// Writes a result whole or not at all.
enum OutputFile {
    /// Writes bytes to a file, which appears under its name when all are there.
    ///
    /// A link is followed. What is no regular file, such as a pipe or a device, is written into.
    ///
    /// - Parameter replaces: whether a file of that name may be replaced; without it, one that is there is left as it
    ///   is, and the writing fails.
    static func write(_ data: Data, to path: String, replaces: Bool) throws(Failure) {
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, !replaces { throw existing(path) }
        if exists, status.st_mode & S_IFMT != S_IFREG { return try writeInto(data, path) }
        let target = resolved(path)
        let folder = (target as NSString).deletingLastPathComponent
        let place = folder.isEmpty ? "." : folder
        // A file without a name is gone with the process, however that ends.
        let nameless = open(place, unnamedFile | O_WRONLY | O_CLOEXEC, 0o666)
        if nameless >= 0 {
            try write(data, nameless, path, target, source: "/proc/self/fd/\(nameless)", replaces: replaces)
        } else {
            try writeByName(data, path, target, in: place, replaces: replaces)
        }
    }

    /// Writes bytes to standard output.
    ///
    /// A reader that has gone ends the program quietly.
    static func writeToStandardOutput(_ data: Data) throws(Failure) {
        let number = data.writeAll(to: STDOUT_FILENO)
        if number == EPIPE { exit(ExitStatus.someFailed.rawValue) }
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

    /// O_TMPFILE of <fcntl.h>, which Swift does not see.
    private static let unnamedFile: Int32 = 0o20_200_000

    /// For file systems that know no files without a name.
    private static func writeByName(
        _ data: Data,
        _ path: String,
        _ target: String,
        in folder: String,
        replaces: Bool
    ) throws(Failure) {
        let temporary = temporaryName(in: folder)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Failure(system: "cannot write \(path)", errno) }
        defer { unlink(temporary) }
        try write(data, descriptor, path, target, source: temporary, replaces: replaces)
    }

    private static func write(
        _ data: Data,
        _ descriptor: Int32,
        _ path: String,
        _ target: String,
        source: String,
        replaces: Bool
    ) throws(Failure) {
        defer { close(descriptor) }
        try put(data, descriptor, path)
        if link(source, to: target) { return }
        guard errno == EEXIST || errno == EPERM || errno == EOPNOTSUPP else {
            throw Failure(system: "cannot write \(path)", errno)
        }
        if !replaces {
            // Where links are unknown, an empty file of the name makes sure that nobody else has it.
            let claim = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard claim >= 0 else { throw existing(path) }
            close(claim)
        }
        let folder = (target as NSString).deletingLastPathComponent
        let temporary = source.hasPrefix("/proc/") ? temporaryName(in: folder.isEmpty ? "." : folder) : source
        guard temporary == source || link(source, to: temporary), rename(temporary, target) == 0 else {
            let number = errno
            unlink(temporary)
            throw Failure(system: "cannot write \(path)", number)
        }
    }

    private static func put(_ data: Data, _ descriptor: Int32, _ path: String) throws(Failure) {
        let number = data.writeAll(to: descriptor)
        guard number == 0 else { throw Failure(system: "cannot write \(path)", number) }
    }

    private static func link(_ source: String, to target: String) -> Bool {
        linkat(AT_FDCWD, source, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0
    }

    private static func writeInto(_ data: Data, _ path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(system: "cannot write \(path)", errno) }
        defer { close(descriptor) }
        try put(data, descriptor, path)
    }

    private static func temporaryName(in folder: String) -> String {
        "\(folder)/.magpie-\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
    }

    /// The file that a path leads to, through links; the path itself where nothing is.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func existing(_ path: String) -> Failure {
        Failure(
            code: "exists",
            message: "\(path) exists already; pass --force to replace it, or -o to choose another name"
        )
    }
}
