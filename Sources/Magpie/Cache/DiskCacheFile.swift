import CXXHash
import Foundation

/// The form of one file of the disk cache: the bytes as received, so that any viewer opens the file as the picture it
/// is; after them what the server said; last a footer of fixed size, which finds damage of any kind.
///
///     body | fields: (tag: UInt8, length: UInt32, bytes)... | body length: UInt64 | fields length: UInt32 |
///     version: UInt32 | XXH3 of body and fields: UInt64 | "MAGPIE\r\n"
///
/// Integers are little-endian.
enum DiskCacheFile {
    private enum Field: UInt8 {
        case key = 1
        case contentType
        case entityTag
        case lastModified
        case date
    }

    private static let magic: [UInt8] = Array("MAGPIE\r\n".utf8)
    private static let version: UInt32 = 1

    /// The size of the footer in bytes.
    static let footerSize = 32

    /// What stands behind the body in the file of `entry`.
    static func trailer(of entry: CachedData) -> Data {
        var fields = Data()
        append(.key, entry.key, to: &fields)
        append(.contentType, entry.contentType, to: &fields)
        append(.entityTag, entry.entityTag, to: &fields)
        append(.lastModified, entry.lastModified, to: &fields)
        append(.date, String(entry.date.timeIntervalSince1970), to: &fields)
        var footer = Data(capacity: footerSize)
        footer.append(integer: UInt64(entry.data.count))
        footer.append(integer: UInt32(fields.count))
        footer.append(integer: version)
        footer.append(integer: checksum(body: entry.data, fields: fields))
        footer.append(contentsOf: magic)
        return fields + footer
    }

    /// Whether a footer is one, and agrees with the size of its file.
    static func isPlausible(footer: Data, fileSize: Int) -> Bool {
        Layout(footer: footer, fileSize: fileSize) != nil
    }

    /// The entry in the bytes of a whole file; nil when anything about it is wrong.
    static func entry(in file: Data) -> CachedData? {
        guard let layout = Layout(footer: file.suffix(footerSize), fileSize: file.count) else { return nil }
        // The body comes first, so that its slice starts at index 0 like any other data.
        let body = file.prefix(layout.bodyLength)
        let fields = file.dropFirst(layout.bodyLength).prefix(layout.fieldsLength)
        guard checksum(body: body, fields: fields) == layout.checksum else { return nil }
        return entry(fields: fields, body: body)
    }

    /// What the last bytes of a file say of its entry, whose body is left empty; nil when they do not hold all of it.
    static func listing(tail: Data, fileSize: Int) -> CachedData? {
        guard let layout = Layout(footer: tail.suffix(footerSize), fileSize: fileSize),
            tail.count >= layout.fieldsLength + footerSize
        else { return nil }
        let fields = tail.dropLast(footerSize).suffix(layout.fieldsLength)
        return entry(fields: fields, body: Data())
    }

    /// Where the parts of a file lie, by its footer.
    private struct Layout {
        let bodyLength: Int
        let fieldsLength: Int
        let checksum: UInt64

        /// Nil when the footer is none, or does not agree with the size of the file.
        init?(footer: Data, fileSize: Int) {
            guard footer.count == footerSize, footer.suffix(magic.count).elementsEqual(magic),
                let body = footer.integer(at: 0, as: UInt64.self).flatMap(Int.init(exactly:)),
                let fields = footer.integer(at: 8, as: UInt32.self).flatMap(Int.init(exactly:)),
                footer.integer(at: 12, as: UInt32.self) == version,
                let checksum = footer.integer(at: 16, as: UInt64.self)
            else { return nil }
            let (sum, overflow) = body.addingReportingOverflow(fields)
            guard !overflow, fileSize >= footerSize, sum == fileSize - footerSize else { return nil }
            bodyLength = body
            fieldsLength = fields
            self.checksum = checksum
        }
    }

    /// An entry from its fields; nil when they cannot be read or name no key.
    private static func entry(fields: Data, body: Data) -> CachedData? {
        var values: [UInt8: String] = [:]
        var rest = fields
        while let tag = rest.popFirst() {
            guard let length = rest.integer(at: 0, as: UInt32.self).flatMap(Int.init(exactly:)) else { return nil }
            rest = rest.dropFirst(4)
            guard rest.count >= length, let text = String(validating: rest.prefix(length), as: UTF8.self) else {
                return nil
            }
            values[tag] = text
            rest = rest.dropFirst(length)
        }
        guard let key = values[Field.key.rawValue] else { return nil }
        return CachedData(
            key: key,
            data: body,
            contentType: values[Field.contentType.rawValue],
            entityTag: values[Field.entityTag.rawValue],
            lastModified: values[Field.lastModified.rawValue],
            date: Date(timeIntervalSince1970: values[Field.date.rawValue].flatMap(Double.init) ?? 0)
        )
    }

    private static func append(_ field: Field, _ value: String?, to fields: inout Data) {
        guard let value, let length = UInt32(exactly: value.utf8.count) else { return }
        fields.append(field.rawValue)
        fields.append(integer: length)
        fields.append(contentsOf: value.utf8)
    }

    private static func checksum(body: Data, fields: Data) -> UInt64 {
        let seed = body.withUnsafeBytes { XXH3_64bits($0.baseAddress, $0.count) }
        return fields.withUnsafeBytes { XXH3_64bits_withSeed($0.baseAddress, $0.count, seed) }
    }
}

extension Data {
    fileprivate mutating func append(integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
    }

    /// The integer that starts `offset` bytes behind the first byte of this data or slice.
    fileprivate func integer<Integer: FixedWidthInteger>(at offset: Int, as type: Integer.Type) -> Integer? {
        guard count >= offset + MemoryLayout<Integer>.size else { return nil }
        return withUnsafeBytes { Integer(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }
}
