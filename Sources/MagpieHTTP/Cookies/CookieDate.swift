import Foundation

/// Dates as servers write them in `Set-Cookie`: in many ways (RFC 6265bis §5.1.1).
enum CookieDate {
    /// Reads a date, or gives `nil` where day, month, year and time are not all there.
    static func date(from text: String) -> Date? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = clock(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = HTTPDate.month(named: String(decoding: token.prefix(3), as: UTF8.self))
            {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if 70...99 ~= year { year += 1900 }
        if 0...69 ~= year { year += 2000 }
        guard year >= 1601, time.second <= 59 else { return nil }
        return HTTPDate.date(
            year: year,
            month: month,
            day: day,
            hour: time.hour,
            minute: time.minute,
            second: time.second
        )
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// The digits in front, where there are so many and no more; what follows them does not count.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        let found = token.prefix { 0x30...0x39 ~= $0 }
        return digits ~= found.count ? Int(String(decoding: found, as: UTF8.self)) : nil
    }

    /// `hh:mm:ss`, perhaps with something behind it.
    private static func clock(_ token: Substring.UTF8View) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].allSatisfy({ 0x30...0x39 ~= $0 }), parts[1].allSatisfy({ 0x30...0x39 ~= $0 }),
            let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }
}
