/// Says what bytes that are no picture look like, so that an error can tell the reader what the server sent instead.
enum ContentGuess {
    /// How many bytes of a text are read before giving up; only a name that begins within them is read to its end.
    private static let textLimit = 4096

    /// "an HTML page", "a JSON document"…; nil where nothing is recognised.
    static func describe(_ reader: ByteReader) -> String? {
        if let binary = describeBinary(reader) { return binary }
        guard isText(reader) else { return nil }
        if let root = rootElement(of: reader) {
            return root == "html" || root == "head" || root == "body" ? "an HTML page" : "an XML document"
        }
        let start = skipSpace(reader, from: skipMark(reader))
        if reader.byte(start) == UInt8(ascii: "{") || reader.byte(start) == UInt8(ascii: "[") {
            return "a JSON document"
        }
        return "text"
    }

    private static func describeBinary(_ reader: ByteReader) -> String? {
        if reader.has("%PDF-") { return "a PDF document" }
        if reader.has([0x1F, 0x8B]) { return "gzip data" }
        if reader.has([0x50, 0x4B, 3, 4]) { return "a ZIP archive" }
        if reader.has("ftyp", at: 4) { return "an MP4 or QuickTime video" }
        if reader.has([0x1A, 0x45, 0xDF, 0xA3]) { return "a WebM or Matroska video" }
        return nil
    }

    /// No control characters but white space, in the beginning.
    private static func isText(_ reader: ByteReader) -> Bool {
        let head = reader.bytes.prefix(512)
        return !head.isEmpty
            && head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 || $0 == 10 || $0 == 12 || $0 == 13 }
    }

    /// The lower-case local name of a document's root element; nil for what is no XML or HTML.
    ///
    /// Comments, processing instructions and the document type are stepped over.
    static func rootElement(of reader: ByteReader) -> String? {
        var offset = skipSpace(reader, from: skipMark(reader))
        while offset < min(reader.count, textLimit), reader.byte(offset) == UInt8(ascii: "<") {
            if reader.has("<!--", at: offset) {
                guard let end = find("-->", reader, from: offset + 4) else { return nil }
                offset = skipSpace(reader, from: end)
            } else if reader.has("<?", at: offset) || reader.has("<!", at: offset) {
                if isHTMLDocumentType(reader, at: offset) { return "html" }
                guard let end = endOfDeclaration(reader, from: offset) else { return nil }
                offset = skipSpace(reader, from: end)
            } else {
                return elementName(reader, at: offset + 1)
            }
        }
        return nil
    }

    private static func elementName(_ reader: ByteReader, at start: Int) -> String? {
        var name = ""
        var offset = start
        while let byte = reader.byte(offset), name.utf8.count < 64 {
            let scalar = Unicode.Scalar(byte)
            guard
                scalar.properties.isAlphabetic || scalar == ":" || scalar == "-" || scalar.properties.numericType != nil
            else { break }
            name.unicodeScalars.append(scalar)
            offset += 1
        }
        return name.split(separator: ":").last.map { $0.lowercased() }
    }

    private static func isHTMLDocumentType(_ reader: ByteReader, at offset: Int) -> Bool {
        guard let window = reader.window(offset, 14) else { return false }
        return String(decoding: window, as: UTF8.self).lowercased() == "<!doctype html"
    }

    /// The offset behind the `>` that ends a declaration; brackets of an internal subset and quotes are respected.
    private static func endOfDeclaration(_ reader: ByteReader, from start: Int) -> Int? {
        var depth = 0
        var quote: UInt8?
        for offset in start..<max(start, min(reader.count, textLimit)) {
            let byte = reader.bytes[offset]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "]") {
                depth -= 1
            } else if byte == UInt8(ascii: ">"), depth <= 0 {
                return offset + 1
            }
        }
        return nil
    }

    private static func find(_ text: StaticString, _ reader: ByteReader, from start: Int) -> Int? {
        var offset = start
        while offset < min(reader.count, textLimit) {
            if reader.has(text, at: offset) { return offset + text.utf8CodeUnitCount }
            offset += 1
        }
        return nil
    }

    /// Steps over a UTF-8 byte order mark.
    private static func skipMark(_ reader: ByteReader) -> Int {
        reader.has([0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    private static func skipSpace(_ reader: ByteReader, from start: Int) -> Int {
        var offset = start
        while offset < textLimit, let byte = reader.byte(offset), byte == 0x20 || (9...13).contains(byte) {
            offset += 1
        }
        return offset
    }
}
