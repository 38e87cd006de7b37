/// Where the samples of a track are in its file, and in which order they are shown (ISO/IEC 14496-12 §8.6, §8.7).
struct ISOSampleTable {
    /// Offset and length of each sample in the order in which they are decoded.
    private(set) var samples: [(offset: Int, length: Int)] = []
    /// For each sample, its place in the order in which they are shown.
    private(set) var places: [Int] = []
    /// The samples that need none before them, ascending; empty where that is true of all.
    private let keys: [Int]

    /// - Parameters:
    ///   - boxes: The boxes of `stbl`.
    ///   - count: Number of samples, which is held against the limits already.
    init(_ boxes: [ISOBox], count: Int) {
        keys = Self.keys(boxes["stss"]?.content, count: count)
        readSamples(boxes, count: count)
        places = Self.places(boxes["stts"]?.content, boxes["ctts"]?.content, count: samples.count)
    }

    /// The last sample to begin at so that the one that is shown at a place comes out.
    func key(forPlace place: Int) -> Int {
        if keys.isEmpty { return places.firstIndex(of: place) ?? 0 }
        return keys.last { places.indices.contains($0) && places[$0] <= place } ?? 0
    }

    private static func keys(_ stss: ByteReader?, count: Int) -> [Int] {
        guard let stss else { return [] }
        let present = min(stss.bigEndian32(4) ?? 0, count)
        return (0..<present).compactMap { stss.bigEndian32(8 + 4 * $0) }.map { $0 - 1 }.filter { $0 >= 0 }.sorted()
    }

    /// Samples lie one behind the other in chunks; `stsc` says how many in each.
    private mutating func readSamples(_ boxes: [ISOBox], count: Int) {
        guard let stsz = boxes["stsz"]?.content, let stsc = boxes["stsc"]?.content,
            let chunks = boxes["stco"]?.content ?? boxes["co64"]?.content
        else { return }
        let isWide = boxes["stco"] == nil
        let common = stsz.bigEndian32(4) ?? 0
        var run = 0
        for chunk in 0..<(chunks.bigEndian32(4) ?? 0) {
            while let next = stsc.bigEndian32(8 + 12 * (run + 1)), next <= chunk + 1 { run += 1 }
            guard var offset = isWide ? chunks.bigEndian64(8 + 8 * chunk) : chunks.bigEndian32(8 + 4 * chunk),
                let inChunk = stsc.bigEndian32(12 + 12 * run)
            else { return }
            for _ in 0..<inChunk {
                guard samples.count < count,
                    let length = common > 0 ? common : stsz.bigEndian32(12 + 4 * samples.count)
                else { return }
                samples.append((offset, length))
                offset = offset &+ length
            }
        }
    }

    /// Without `ctts` samples are shown in the order in which they are decoded.
    private static func places(_ stts: ByteReader?, _ ctts: ByteReader?, count: Int) -> [Int] {
        guard let stts, let ctts else { return Array(0..<count) }
        var times: [Int] = []
        var time = 0
        for (run, ticks) in runs(stts) {
            for _ in 0..<min(run, count - times.count) {
                times.append(time)
                time = time &+ ticks
            }
        }
        var index = 0
        for (run, ticks) in runs(ctts) {
            for _ in 0..<min(run, times.count - index) {
                times[index] = times[index] &+ Int(Int32(truncatingIfNeeded: ticks))
                index += 1
            }
        }
        guard times.count == count else { return Array(0..<count) }
        var places = [Int](repeating: 0, count: count)
        let shown = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
        for (place, sample) in shown.enumerated() { places[sample] = place }
        return places
    }

    private static func runs(_ box: ByteReader) -> some Sequence<(Int, Int)> {
        (0..<min(box.bigEndian32(4) ?? 0, box.count / 8)).lazy.compactMap { index in
            guard let run = box.bigEndian32(8 + 8 * index), let value = box.bigEndian32(12 + 8 * index) else {
                return nil
            }
            return (run, value)
        }
    }
}
