import Foundation

/// Looks for the highest quality at which a file is no larger than it may be.
struct QualitySearch {
    /// How often the range of qualities is halved.
    private static let steps = 6

    let format: ImageFormat
    let limit: Int
    let options: ImageEncodeOptions

    /// - Parameter encode: Writes the file.
    func run(
        _ encode: (ImageEncodeOptions) throws(ImageCodingError) -> Data
    ) throws(ImageCodingError) -> Data {
        let best = try encode(options)
        if best.count <= limit { return best }
        var found = try file(at: 0, encode)
        guard found.count <= limit else {
            throw .cannotEncode(format, "it takes more than \(limit) bytes even at the lowest quality; make it smaller")
        }
        var (low, high) = (0.0, options.percent / 100)
        for _ in 0..<Self.steps {
            let middle = (low + high) / 2
            let file = try file(at: middle, encode)
            if file.count <= limit {
                (low, found) = (middle, file)
            } else {
                high = middle
            }
        }
        return found
    }

    private func file(
        at quality: Double,
        _ encode: (ImageEncodeOptions) throws(ImageCodingError) -> Data
    ) throws(ImageCodingError) -> Data {
        var options = options
        options.quality = quality
        return try encode(options)
    }
}
