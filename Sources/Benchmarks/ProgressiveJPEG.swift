import Foundation
import MagpieImage

/// A progressive JPEG that arrives in small pieces and is shown again and again meanwhile.
enum ProgressiveJPEG {
    private static let piece = 1000
    private static let piecesBetweenPreviews = 100

    static let row = BenchmarkRow(
        name: "progressive-jpeg",
        summary: "a progressive JPEG of 5 MB in pieces of 1 KB, with a preview asked for each 100 KB",
        unit: "s",
        isLargerBetter: false,
        contenders: [
            .init(name: "IncrementalDecoder") { try incrementally(PictureFiles.bytes($0)) },
            .init(name: "all bytes at once") { try ImageDecoding.seconds(PictureFiles.bytes($0)) },
        ],
        reference: "all bytes at once",
        missing: { nil }
    ) {
        try PictureFiles.setting(.jpeg, width: 4000, height: 3000, quality: 0.92, isProgressive: true)
    }

    private static func incrementally(_ file: Data) throws -> Double {
        let start = ContinuousClock.now
        let decoder = ImageCoders.shared.incrementalDecoder()
        for (number, offset) in stride(from: 0, to: file.count, by: piece).enumerated() {
            try decoder.append(file[offset..<min(offset + piece, file.count)])
            if number % piecesBetweenPreviews == piecesBetweenPreviews - 1 { _ = try decoder.preview() }
        }
        let image = try decoder.finish()
        let elapsed = ContinuousClock.now - start
        return withExtendedLifetime(image) { elapsed / .seconds(1) }
    }
}
