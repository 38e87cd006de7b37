import CCrypto
import Foundation
import Glibc
import MagpieStorage

/// A folder of pictures as SDWebImage keeps them: each a file of the bytes as received, named with the MD5 of its key
/// and the extension of the key's path.
struct SDWebImageFolder: Sendable {
    let url: URL

    /// The name of a key's file: 32 hexadecimal digits, and the extension where there is one of at most 222 bytes.
    static func name(for key: String) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        var key = key
        key.withUTF8 { _ = EVP_Digest($0.baseAddress, $0.count, &digest, &length, EVP_md5(), nil) }
        let digits = digest.prefix(Int(length)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        let tail = fileExtension(of: key)
        return digits.joined() + (tail.isEmpty ? "" : "." + tail)
    }

    /// The extension of the path in a key, without what a file's name cannot hold.
    static func fileExtension(of key: String) -> String {
        let path = URL(string: key)?.path(percentEncoded: false) ?? key
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
        let tail = String(name[name.index(after: dot)...].filter { $0 != "\0" && $0 != ":" })
        return tail.utf8.count > 222 ? "" : tail
    }

    /// What the bytes of an imported file are kept under while their key is not known.
    static func importKey(_ name: String) -> String {
        "sdwebimage:" + name
    }

    /// Whether there is a file of a name, or of the name without its extension.
    func contains(_ name: String) -> Bool {
        open(name) != nil
    }

    /// The picture in a file of a name, or of the name without its extension.
    func picture(named name: String, key: String) -> CachedData? {
        guard let file = open(name), let data = try? file.readToEnd(), !data.isEmpty else { return nil }
        var status = stat()
        guard fstat(file.fileDescriptor, &status) == 0 else { return nil }
        let date = Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
        return CachedData(key: key, data: data, date: date)
    }

    /// The names of all files that look like SDWebImage's.
    func names() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.filter { name in
            let stem = name.prefix { $0 != "." }.utf8
            return stem.count == 32 && stem.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        }
    }

    /// Opens a plain file; links are not followed.
    private func open(_ name: String) -> FileHandle? {
        for name in [name, String(name.prefix(32))] {
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            let descriptor = Glibc.open(url.appendingPathComponent(name).path, flags)
            guard descriptor >= 0 else { continue }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            var status = stat()
            if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return file }
        }
        return nil
    }
}
