public import Foundation

/// The three forms in which HTTP writes a point in time (RFC 9110 §5.6.7).
public enum HTTPDate {
    /// Reads a date in any of the three forms: IMF-fixdate, RFC 850 and asctime; `nil` where the text is none of them.
    ///
    /// - Parameters:
    ///   - text: As in `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///   - now: What the two digits of an RFC 850 year refer to: a year more than 50 years ahead lies in the past.
    public static func date(from text: String, now: Date = Date()) -> Date? {
        var words = text.split { $0 == " " || $0 == "," }
        if words.count == 5 {
            return date(day: words[2], month: words[1], year: Int(words[4]), time: words[3])
        }
        // RFC 850 writes "06-Nov-94".
        if words.count == 4 { words.replaceSubrange(1...1, with: words[1].split(separator: "-")) }
        guard words.count == 6, words[5] == "GMT" || words[5] == "UTC" else { return nil }
        var year = Int(words[3])
        if words[3].utf8.count == 2 { year = year.map { fullYear($0, now: now) } }
        return date(day: words[1], month: words[2], year: year, time: words[4])
    }

    /// Writes a date as IMF-fixdate, in whole seconds: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public static func string(from date: Date) -> String {
        // The years 1 to 9999, which the form has room for.
        var seconds = time_t(min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799).rounded(.down))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let digits = { (number: CInt, width: Int) in
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        let day = "\(days[Int(parts.tm_wday)]), \(digits(parts.tm_mday, 2)) \(months[Int(parts.tm_mon)])"
        let time = "\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):\(digits(parts.tm_sec, 2))"
        return "\(day) \(digits(parts.tm_year + 1900, 4)) \(time) GMT"
    }

    /// The point in time in UTC, or `nil` where there is no such day or time; a leap second is one.
    static func date(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) -> Date? {
        guard 1...9999 ~= year, 1...12 ~= month, 1...31 ~= day, 0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second
        else {
            return nil
        }
        var parts = tm()
        parts.tm_year = CInt(year - 1900)
        parts.tm_mon = CInt(month - 1)
        parts.tm_mday = CInt(day)
        let midnight = timegm(&parts)
        // The 30th of February became another day.
        guard parts.tm_mday == CInt(day) else { return nil }
        return Date(timeIntervalSince1970: TimeInterval(midnight + hour * 3600 + minute * 60 + second))
    }

    /// The number from 1 to 12 of the month whose name begins with the same three letters.
    static func month(named name: some StringProtocol) -> Int? {
        let start = name.prefix(3).lowercased()
        return months.firstIndex { $0.lowercased() == start }.map { $0 + 1 }
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func date(day: Substring, month: Substring, year: Int?, time: Substring) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            let year, let month = self.month(named: month), let day = Int(day)
        else { return nil }
        return date(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    private static func fullYear(_ twoDigits: Int, now: Date) -> Int {
        var seconds = time_t(min(max(now.timeIntervalSince1970, 0), 253_402_300_799))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let current = Int(parts.tm_year) + 1900
        let year = current - current % 100 + twoDigits
        return year > current + 50 ? year - 100 : year
    }
}
