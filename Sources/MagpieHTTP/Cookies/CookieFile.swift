import Foundation

/// A file of cookies in Netscape's format: a line each of seven parts with tabs between, as curl and wget use it.
///
///     domain  whether it is for hosts below  path  secure  seconds since 1970, 0 for the session  name  value
///
/// `#HttpOnly_` before the domain stands for the attribute of that name. `SameSite` has no place in it.
struct CookieFile {
    private let file: URL

    init(_ file: URL) { self.file = file }

    /// The cookies of the file; none where there is no file.
    func read(now: Date) throws(HTTPError) -> [HTTPCookieJar.Cookie] {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch CocoaError.fileReadNoSuchFile {
            return []
        } catch {
            throw .cookieFile(file.path, reason: error.localizedDescription)
        }
        let text = String(decoding: data, as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).compactMap { Self.cookie(from: $0, now: now) }
    }

    /// Puts a file with the cookies in place of the old one.
    func write(_ cookies: [HTTPCookieJar.Cookie]) throws(HTTPError) {
        let lines = cookies.compactMap(Self.line)
        let text = (["# Netscape HTTP Cookie File"] + lines).joined(separator: "\n") + "\n"
        let temporary = file.deletingLastPathComponent().appending(path: ".\(UUID().uuidString).cookies")
        // Readable by its owner alone from the first moment on.
        let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(errno) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
            try handle.close()
        } catch {
            unlink(temporary.path)
            throw .cookieFile(file.path, reason: error.localizedDescription)
        }
        guard rename(temporary.path, file.path) == 0 else {
            let number = errno
            unlink(temporary.path)
            throw failure(number)
        }
    }

    private func failure(_ number: CInt) -> HTTPError {
        .cookieFile(file.path, reason: String(cString: strerror(number)))
    }

    private static func cookie(from line: Substring, now: Date) -> HTTPCookieJar.Cookie? {
        let mark = "#HttpOnly_"
        let isHTTPOnly = line.hasPrefix(mark)
        let line = isHTTPOnly ? line.dropFirst(mark.count) : line
        guard !line.hasPrefix("#") else { return nil }
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        // A cookie without a value may lack the last tab.
        guard parts.count == 7 || parts.count == 6, let seconds = Int64(parts[4]) else { return nil }
        let domain = parts[0].hasPrefix(".") ? String(parts[0].dropFirst()) : parts[0]
        guard !domain.isEmpty, parts[2].hasPrefix("/") else { return nil }
        return HTTPCookieJar.Cookie(
            name: parts[5],
            value: parts.count == 7 ? parts[6] : "",
            domain: domain.lowercased(),
            isHostOnly: parts[1].uppercased() != "TRUE",
            path: parts[2],
            expires: seconds == 0 ? nil : Date(timeIntervalSince1970: TimeInterval(seconds)),
            isSecure: parts[3].uppercased() == "TRUE",
            isHTTPOnly: isHTTPOnly,
            created: now
        )
    }

    /// A line, or `nil` where a part holds what would end it.
    private static func line(_ cookie: HTTPCookieJar.Cookie) -> String? {
        let word = { (flag: Bool) in flag ? "TRUE" : "FALSE" }
        let seconds = cookie.expires.map { min(max($0.timeIntervalSince1970, 1), 253_402_300_799) } ?? 0
        let parts = [
            (cookie.isHTTPOnly ? "#HttpOnly_" : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain,
            word(!cookie.isHostOnly), cookie.path, word(cookie.isSecure), String(Int64(seconds)), cookie.name,
            cookie.value,
        ]
        guard !parts.contains(where: { $0.contains { $0 == "\t" || $0.isNewline } }) else { return nil }
        return parts.joined(separator: "\t")
    }
}
