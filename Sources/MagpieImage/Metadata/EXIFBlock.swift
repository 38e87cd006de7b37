import Foundation

/// The directories of an EXIF block (CIPA DC-008: a TIFF structure), read entry by entry.
///
/// Every read is checked; what breaks the rules counts as not being there.
struct EXIFBlock {
    /// The directories that a viewer looks at.
    enum Directory {
        case image, camera, position
    }

    private static let signature: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
    private static let orientationTag = 0x0112
    private static let entryBytes = 12
    private static let (cameraPointer, positionPointer) = (0x8769, 0x8825)
    /// Bytes of a value of each TIFF type, from 1 on.
    private static let typeBytes = [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
    /// The longest text that is read.
    private static let textLimit = 1000

    private let reader: ByteReader
    private let isLittleEndian: Bool

    /// - Parameter bytes: The TIFF structure, with or without the `Exif` signature that JPEG puts before it.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        if reader.has(Self.signature), let rest = reader.window(6, reader.count - 6) {
            reader = ByteReader(rest)
        }
        isLittleEndian = reader.has([0x49, 0x49, 0x2A, 0])
        guard isLittleEndian || reader.has([0x4D, 0x4D, 0, 0x2A]) else { return nil }
        self.reader = reader
    }

    /// How the picture is to be turned.
    var orientation: ImageOrientation? {
        integer(Self.orientationTag).flatMap(ImageOrientation.init)
    }

    /// The TIFF structure alone.
    static func withoutSignature(_ block: Data) -> Data {
        block.starts(with: signature) ? Data(block.dropFirst(signature.count)) : block
    }

    /// The same block for a picture that is upright already.
    ///
    /// - Parameter block: The TIFF structure, without signature.
    static func upright(_ block: Data) -> Data {
        let place = block.withUnsafeBytes { bytes in
            EXIFBlock(bytes).flatMap { block in block.entry(orientationTag).map { ($0 + 8, block.isLittleEndian) } }
        }
        guard let (offset, isLittleEndian) = place, offset + 2 <= block.count else { return block }
        var upright = Data(block)
        upright.replaceSubrange(offset..<(offset + 2), with: isLittleEndian ? [1, 0] : [0, 1])
        return upright
    }

    /// Where the entry of a tag begins, from the start of the TIFF structure.
    func entry(_ tag: Int, in directory: Directory = .image) -> Int? {
        guard let start = start(of: directory), let count = short(start) else { return nil }
        for index in 0..<count {
            let at = start + 2 + index * Self.entryBytes
            guard let found = short(at) else { return nil }
            if found == tag { return at }
        }
        return nil
    }

    /// A number of type SHORT or LONG.
    func integer(_ tag: Int, in directory: Directory = .image) -> Int? {
        guard let at = entry(tag, in: directory) else { return nil }
        return switch (short(at + 2), long(at + 4)) {
        case (3, 1), (3, 2): short(at + 8)
        case (4, 1): long(at + 8)
        default: nil
        }
    }

    /// A text of type ASCII, without what fills it up; nil where it is empty.
    func text(_ tag: Int, in directory: Directory = .image) -> String? {
        guard let at = entry(tag, in: directory), short(at + 2) == 2, let bytes = value(at) else { return nil }
        let text = String(decoding: bytes.prefix { $0 != 0 }.prefix(Self.textLimit), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }

    /// Numbers of type RATIONAL; nil where one is none.
    func numbers(_ tag: Int, in directory: Directory, atMost limit: Int = 3) -> [Double]? {
        guard let at = entry(tag, in: directory), short(at + 2) == 5, let bytes = value(at) else { return nil }
        let window = EXIFBlock(self, ByteReader(bytes))
        var numbers: [Double] = []
        for index in 0..<min(limit, bytes.count / 8) {
            guard let numerator = window.long(8 * index), let denominator = window.long(8 * index + 4), denominator > 0
            else { return nil }
            numbers.append(Double(numerator) / Double(denominator))
        }
        return numbers.isEmpty ? nil : numbers
    }

    private init(_ block: EXIFBlock, _ reader: ByteReader) {
        (self.reader, isLittleEndian) = (reader, block.isLittleEndian)
    }

    private func start(of directory: Directory) -> Int? {
        switch directory {
        case .image: long(4)
        case .camera: integer(Self.cameraPointer)
        case .position: integer(Self.positionPointer)
        }
    }

    /// The bytes of an entry's value, which stand in the entry where there are no more than four.
    private func value(_ entry: Int) -> UnsafeRawBufferPointer? {
        guard let type = short(entry + 2), Self.typeBytes.indices.contains(type - 1), let count = long(entry + 4) else {
            return nil
        }
        let length = count * Self.typeBytes[type - 1]
        if length <= 4 { return reader.window(entry + 8, length) }
        return long(entry + 8).flatMap { reader.window($0, length) }
    }

    private func short(_ offset: Int) -> Int? {
        isLittleEndian ? reader.littleEndian16(offset) : reader.bigEndian16(offset)
    }

    private func long(_ offset: Int) -> Int? {
        isLittleEndian ? reader.littleEndian32(offset) : reader.bigEndian32(offset)
    }
}
