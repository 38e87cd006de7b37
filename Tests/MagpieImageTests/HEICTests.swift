#if HEIC
import Foundation
import MagpieImage
import Testing

/// There is no encoder to make fixtures with: the files are those of the corpus.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not here; set MAGPIE_SHARED"))
struct HEICTests {
    @Test func aSequenceGivesAnyFrame() throws {
        let file = try Corpus.file("heic/TestImageAnimated.heics")
        let frames = try ImageCoders.shared.frames(of: file)
        #expect(frames.frameCount == 120)
        let inOrder = try (0..<40).map { try frames.frame(at: $0) }
        for index in [39, 3, 17, 16, 0, 33] {
            #expect(try frames.frame(at: index).largestDifference(from: inOrder[index]) == 0, "frame \(index)")
        }
        #expect(inOrder[0].largestDifference(from: inOrder[39]) != 0)
        #expect(throws: ImageCodingError.noSuchFrame(120, of: 120)) { try frames.frame(at: 120) }
    }

    @Test func aSequenceThatIsCutOffGivesTheFramesBefore() throws {
        let file = try Corpus.file("heic/TestImageAnimated.heics").prefix(200_000)
        let frames = try ImageCoders.shared.frames(of: Data(file))
        #expect(try frames.frame(at: 5).width == 256)
        let error = #expect(throws: ImageCodingError.self) { try frames.frame(at: 119) }
        #expect(error?.code == "truncated")
        #expect(try frames.frame(at: 6).width == 256)
    }

    @Test func aStillIsOneFrame() throws {
        let frames = try ImageCoders.shared.frames(of: Corpus.file("heic/rainbow-451x461.heic"))
        #expect(frames.frameCount == 1)
        #expect(try frames.frame(at: 0).size == PixelSize(width: 451, height: 461))
    }

    @Test func damagedSequencesNeverCrash() throws {
        let file = try Corpus.file("heic/TestImageAnimated.heics").prefix(60_000)
        var random = SeededGenerator(state: 7)
        for round in 0..<60 {
            var damaged = Data(file)
            // The boxes in half of the rounds, the pictures in the others.
            let range = round % 2 == 0 ? 0..<2100 : 2100..<damaged.count
            for _ in 0..<3 {
                damaged[Int.random(in: range, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let frames = try? ImageCoders.shared.frames(of: damaged) else { continue }
            for index in 0..<min(4, frames.frameCount) { _ = try? frames.frame(at: index) }
        }
    }
}
#endif
