import Foundation

/// What is stored with a picture's bytes, as bytes: fields of a tag (UInt8), a length (UInt32, little-endian) and that
/// many bytes.
///
/// Fields of unknown tags are passed over, so that later versions can add some.
enum CachedDataFields {
    private enum Tag: UInt8 {
        case url = 1
        case contentType
        case entityTag
        case lastModified
        case cacheControl
        case expires
        case date
        case extendedData
    }

    static func encode(_ entry: CachedData) -> Data {
        var fields = Data()
        append(.url, entry.url?.absoluteString, to: &fields)
        append(.contentType, entry.contentType, to: &fields)
        append(.entityTag, entry.entityTag, to: &fields)
        append(.lastModified, entry.lastModified, to: &fields)
        append(.cacheControl, entry.cacheControl, to: &fields)
        append(.expires, entry.expires, to: &fields)
        append(.date, String(entry.date.timeIntervalSince1970), to: &fields)
        append(.extendedData, entry.extendedData, to: &fields)
        return fields
    }

    /// The entry of these fields; nil when they cannot be read.
    static func decode(_ fields: Data, key: String, data: Data) -> CachedData? {
        var values: [UInt8: Data] = [:]
        var rest = fields
        while let tag = rest.popFirst() {
            let head = Array(rest.prefix(4))
            guard head.count == 4 else { return nil }
            let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard rest.count >= length else { return nil }
            values[tag] = rest.prefix(length)
            rest = rest.dropFirst(length)
        }
        func text(_ tag: Tag) -> String? { values[tag.rawValue].flatMap { String(validating: $0, as: UTF8.self) } }
        var entry = CachedData(
            key: key,
            data: data,
            contentType: text(.contentType),
            entityTag: text(.entityTag),
            lastModified: text(.lastModified),
            date: Date(timeIntervalSince1970: text(.date).flatMap(Double.init) ?? 0)
        )
        entry.url = text(.url).flatMap { URL(string: $0) }
        entry.cacheControl = text(.cacheControl)
        entry.expires = text(.expires)
        entry.extendedData = values[Tag.extendedData.rawValue].map { Data($0) }
        return entry
    }

    private static func append(_ tag: Tag, _ value: String?, to fields: inout Data) {
        append(tag, value.map { Data($0.utf8) }, to: &fields)
    }

    private static func append(_ tag: Tag, _ value: Data?, to fields: inout Data) {
        guard let value, let length = UInt32(exactly: value.count) else { return }
        fields.append(tag.rawValue)
        for shift in [0, 8, 16, 24] { fields.append(UInt8(truncatingIfNeeded: length >> UInt32(shift))) }
        fields.append(value)
    }
}
