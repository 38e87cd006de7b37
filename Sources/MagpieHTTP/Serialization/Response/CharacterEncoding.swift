import Foundation

/// The encodings of text by the names that IANA has registered for them.
enum CharacterEncoding {
    /// The encoding of that name, without regard to case.
    static func named(_ name: String) -> String.Encoding? { names[name.lowercased()] }

    /// The encoding that a byte order mark at the start names, and the mark's length.
    static func mark(of bytes: Data) -> (encoding: String.Encoding, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        return nil
    }

    private static let names: [String: String.Encoding] = {
        var names: [String: String.Encoding] = [:]
        for (encoding, labels) in table {
            for label in labels.split(separator: " ") { names[String(label)] = encoding }
        }
        return names
    }()

    private static let table: [(String.Encoding, String)] = [
        (.utf8, "utf-8 utf8"),
        (.ascii, "us-ascii ascii"),
        // Without a mark UTF-16 is read as the WHATWG does, since that is what servers send.
        (.utf16LittleEndian, "utf-16 utf-16le"),
        (.utf16BigEndian, "utf-16be"),
        (.utf32, "utf-32"),
        (.utf32LittleEndian, "utf-32le"),
        (.utf32BigEndian, "utf-32be"),
        (.isoLatin1, "iso-8859-1 iso_8859-1 iso8859-1 latin1 l1"),
        (.isoLatin2, "iso-8859-2 iso8859-2 latin2"),
        (.windowsCP1250, "windows-1250 cp1250"),
        (.windowsCP1251, "windows-1251 cp1251"),
        (.windowsCP1252, "windows-1252 cp1252"),
        (.windowsCP1253, "windows-1253 cp1253"),
        (.windowsCP1254, "windows-1254 cp1254"),
        (.macOSRoman, "macintosh mac"),
        (.shiftJIS, "shift_jis shift-jis sjis ms_kanji"),
        (.japaneseEUC, "euc-jp"),
        (.iso2022JP, "iso-2022-jp"),
        (coreFoundation(0x0203), "iso-8859-3 latin3"),
        (coreFoundation(0x0204), "iso-8859-4 latin4"),
        (coreFoundation(0x0205), "iso-8859-5"),
        (coreFoundation(0x0206), "iso-8859-6"),
        (coreFoundation(0x0207), "iso-8859-7"),
        (coreFoundation(0x0208), "iso-8859-8"),
        (coreFoundation(0x0209), "iso-8859-9 latin5"),
        (coreFoundation(0x020F), "iso-8859-15 latin9 latin-9"),
        (coreFoundation(0x0505), "windows-1255 cp1255"),
        (coreFoundation(0x0506), "windows-1256 cp1256"),
        (coreFoundation(0x0507), "windows-1257 cp1257"),
        (coreFoundation(0x0508), "windows-1258 cp1258"),
        (coreFoundation(0x0632), "gb18030 gbk gb2312 x-gbk"),
        (coreFoundation(0x0940), "euc-kr ks_c_5601-1987"),
        (coreFoundation(0x0A02), "koi8-r koi8"),
        (coreFoundation(0x0A03), "big5 big5-hkscs"),
    ]

    /// An encoding by its number in Core Foundation's `CFStringEncodingExt.h`, marked as Foundation marks those that it
    /// has no name for.
    private static func coreFoundation(_ number: UInt) -> String.Encoding {
        String.Encoding(rawValue: 0x8000_0000 | number)
    }
}
