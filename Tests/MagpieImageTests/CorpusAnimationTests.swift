import Foundation
import MagpieImage
import Testing

/// Real animations against what is true of their frames.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not here; set MAGPIE_SHARED"), .serialized)
struct CorpusAnimationTests {
    static let animations = Corpus.decodable.filter {
        $0.validity == .whole && ["gif", "apng", "webp", "avif", "heics", "jxl"].contains($0.format)
            && !$0.frameTruths.isEmpty
    }

    @Test(arguments: animations)
    func framesAreRightInOrder(_ entry: CorpusEntry) throws {
        let source = try frames(of: entry)
        #expect(source.frameCount == entry.frames)
        #expect(source.loopCount == entry.loopCount)
        for index in 0..<source.frameCount {
            let bitmap = try source.frame(at: index)
            for truth in entry.frameTruths where truth.index == index { try truth.check(bitmap) }
        }
    }

    @Test(arguments: animations)
    func framesAreTheSameInAnyOrder(_ entry: CorpusEntry) throws {
        let pixels = (entry.width ?? 0) * (entry.height ?? 0) * (entry.frames ?? 0)
        if !Corpus.isOptimised, pixels > 500_000 { return }
        let source = try frames(of: entry)
        let inOrder = try (0..<source.frameCount).map { try source.frame(at: $0).straightRGBA() }
        for index in (0..<source.frameCount).reversed() {
            #expect(try source.frame(at: index).straightRGBA() == inOrder[index], "frame \(index), backwards")
        }
        for index in inOrder.indices {
            #expect(try frames(of: entry).frame(at: index).straightRGBA() == inOrder[index], "frame \(index), alone")
        }
    }

    private func frames(of entry: CorpusEntry) throws -> any ImageFrameSource {
        try ImageCoders.shared.frames(of: entry.bytes(), options: ImageDecodeOptions(alpha: .straight))
    }
}
