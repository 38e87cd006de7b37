/// Reads the framing of a body in chunks along with libcurl, and more strictly (RFC 9112 §7.1).
///
/// libcurl takes whatever follows the digits of a size for an extension and skips it, however long. Here a size is
/// digits alone, an extension begins with a semicolon and has an end, and a line ends in CRLF.
struct ChunkInspector {
    private enum State {
        case size
        case padding
        case `extension`
        case sizeEnd
        case data
        case dataCarriageReturn
        case dataEnd
        case trailerStart
        case trailer
        case lastEnd
        case end
    }

    private var state = State.size
    private var size: UInt64 = 0
    private var digitCount = 0
    private var lineLength = 0

    /// The longest line of a size with its extensions, or of a trailer, in bytes.
    private static let maximumLine = 4096

    /// Whether bytes came after the end of the body.
    private(set) var hasExcess = false

    /// What is wrong with these bytes, which follow those before, or `nil`.
    mutating func inspect(_ bytes: UnsafeRawBufferPointer) -> String? {
        var place = 0
        while place < bytes.count {
            if state == .data {
                let count = min(UInt64(bytes.count - place), size)
                size -= count
                place += Int(count)
                if size == 0 { state = .dataCarriageReturn }
                continue
            }
            guard advance(bytes[place]) else { return problem(at: bytes[place]) }
            place += 1
        }
        return nil
    }

    private func problem(at byte: UInt8) -> String {
        switch state {
        case .data, .dataCarriageReturn, .dataEnd: "a chunk is longer than its size"
        case .trailerStart, .trailer, .lastEnd, .end: "a trailer without end"
        default: "the size of a chunk is not a plain number (byte \(byte))"
        }
    }

    /// Takes one byte of the framing; false where it may not stand here.
    private mutating func advance(_ byte: UInt8) -> Bool {
        switch state {
        case .size, .padding, .extension, .sizeEnd: return advanceSizeLine(byte)
        case .data, .dataCarriageReturn:
            state = .dataEnd
            return byte == 0x0D
        case .dataEnd:
            startSize()
            return byte == 0x0A
        case .trailerStart:
            state = byte == 0x0D ? .lastEnd : .trailer
            lineLength = 0
        // How many lines may come is the business of the limits for fields.
        case .trailer:
            lineLength += 1
            if byte == 0x0A { state = .trailerStart }
            return lineLength <= Self.maximumLine
        case .lastEnd:
            state = .end
            return byte == 0x0A
        case .end: hasExcess = true
        }
        return true
    }

    private mutating func advanceSizeLine(_ byte: UInt8) -> Bool {
        lineLength += 1
        guard lineLength <= Self.maximumLine else { return false }
        switch (state, byte) {
        case (.size, 0x30...0x39), (.size, 0x41...0x46), (.size, 0x61...0x66): return addDigit(byte)
        case (.sizeEnd, 0x0A): state = size == 0 ? .trailerStart : .data
        case (.sizeEnd, _): return false
        case (.extension, 0x0A): return false
        case (_, 0x0D): state = .sizeEnd
        case (.extension, _): break
        case (_, 0x3B): state = .extension
        // Some servers fill the line up with spaces.
        case (_, 0x20), (_, 0x09): state = .padding
        default: return false
        }
        return digitCount > 0
    }

    private mutating func addDigit(_ byte: UInt8) -> Bool {
        digitCount += 1
        let digit = byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x61 + 10
        guard size <= UInt64(Int64.max) >> 4 else { return false }
        size = size << 4 | UInt64(digit)
        return true
    }

    private mutating func startSize() {
        state = .size
        size = 0
        digitCount = 0
        lineLength = 0
    }
}
