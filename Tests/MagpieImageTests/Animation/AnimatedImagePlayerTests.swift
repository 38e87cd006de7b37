import Foundation
import MagpieImage
import Testing

@MainActor
@Suite struct AnimatedImagePlayerTests {
    /// A player with all frames decoded, so that every tick finds what it wants.
    private func player(_ frames: NumberedFrames, mode: PlaybackMode = .normal) async throws -> AnimatedImagePlayer {
        let image = AnimatedImage(frames)
        try await decodeAll(image)
        let player = try #require(AnimatedImagePlayer(image))
        player.mode = mode
        return player
    }

    private func decodeAll(_ image: AnimatedImage) async throws {
        image.prefetch(Array(0..<image.frameCount))
        while (0..<image.frameCount).contains(where: { image.bufferedFrame(at: $0) == nil && !image.isUndecodable($0) })
        {
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// The frames that are shown within so many ticks of 100 ms.
    private func play(_ player: AnimatedImagePlayer, ticks: Int) -> [Int] {
        var shown: [Int] = []
        player.frameHandler = { index, frame in
            #expect(frame.pixel(x: 0, y: 0)?.r == UInt8(index))
            shown.append(index)
        }
        player.start()
        for tick in 0..<ticks { _ = player.tick(at: .milliseconds(100 * tick)) }
        return shown
    }

    @Test(arguments: [
        (PlaybackMode.normal, [0, 1, 2, 3, 0, 1, 2]), (.reverse, [3, 2, 1, 0, 3, 2, 1]),
        (.bounce, [0, 1, 2, 3, 2, 1, 0]), (.reversedBounce, [3, 2, 1, 0, 1, 2, 3]),
    ])
    func framesComeInTheOrderOfTheMode(_ mode: PlaybackMode, _ expected: [Int]) async throws {
        #expect(play(try await player(NumberedFrames(4), mode: mode), ticks: 7) == expected)
    }

    @Test(arguments: [
        (PlaybackMode.normal, [0, 1, 2, 0, 1, 2]), (.reverse, [2, 1, 0, 2, 1, 0]),
        (.bounce, [0, 1, 2, 1, 0, 1, 2, 1, 0]), (.reversedBounce, [2, 1, 0, 1, 2, 1, 0, 1, 2]),
    ])
    func everyLoopShowsAllFramesAndTheLastIsTheEnd(_ mode: PlaybackMode, _ expected: [Int]) async throws {
        let player = try await player(NumberedFrames(3, loops: 2), mode: mode)
        var loops: [Int] = []
        player.loopHandler = { loops.append($0) }
        #expect(play(player, ticks: 20) == expected)
        #expect(loops == [1, 2])
        #expect(!player.isPlaying)
        #expect(player.currentFrameIndex == expected.last)
        player.start()
        #expect(player.currentFrameIndex == expected.first)
        #expect(player.currentLoopCount == 0)
    }

    @Test func timeLeftOverCountsForTheNextFrameButSkipsNone() async throws {
        let player = try await player(NumberedFrames(4))
        player.start()
        _ = player.tick(at: .zero)
        #expect(player.tick(at: .milliseconds(99)) == nil)
        #expect(player.tick(at: .milliseconds(150)) != nil)
        #expect(player.currentFrameIndex == 1)
        #expect(player.tick(at: .milliseconds(199)) == nil)
        #expect(player.tick(at: .milliseconds(200)) != nil)
        // A machine that slept.
        #expect(player.tick(at: .seconds(3600)) != nil)
        #expect(player.currentFrameIndex == 3)
        #expect(player.tick(at: .seconds(3600) + .milliseconds(1)) != nil)
        #expect(player.currentFrameIndex == 0)
    }

    @Test func theRateScalesTime() async throws {
        let player = try await player(NumberedFrames(4))
        player.rate = 2
        player.start()
        _ = player.tick(at: .zero)
        #expect(player.tick(at: .milliseconds(49)) == nil)
        #expect(player.tick(at: .milliseconds(50)) != nil)
        player.rate = 0
        #expect(player.tick(at: .seconds(9)) == nil)
        #expect(player.isPlaying)
    }

    @Test func pausingKeepsTheFrameAndStoppingGoesBack() async throws {
        let player = try await player(NumberedFrames(4))
        #expect(play(player, ticks: 3) == [0, 1, 2])
        player.pause()
        #expect(player.tick(at: .seconds(9)) == nil)
        player.start()
        #expect(player.tick(at: .seconds(10)) == nil)
        #expect(player.tick(at: .seconds(10) + .milliseconds(100)) != nil)
        #expect(player.currentFrameIndex == 3)
        player.stop()
        #expect(player.tick(at: .seconds(11))?.pixel(x: 0, y: 0)?.r == 0)
        #expect(player.tick(at: .seconds(12)) == nil)
    }

    @Test func seekingShowsTheFrameWhetherPlayingOrNot() async throws {
        let player = try await player(NumberedFrames(4))
        #expect(!player.seek(to: 4))
        #expect(!player.seek(to: -1))
        #expect(player.seek(to: 2, loop: 5))
        #expect(player.tick(at: .zero)?.pixel(x: 0, y: 0)?.r == 2)
        #expect(player.currentLoopCount == 5)
    }

    @Test func aFrameThatIsNotDecodedIsWaitedFor() async throws {
        let image = AnimatedImage(NumberedFrames(3))
        let player = try #require(AnimatedImagePlayer(image))
        try await decodeAll(image)
        player.start()
        _ = player.tick(at: .zero)
        image.clearBuffer()
        #expect(player.tick(at: .milliseconds(100)) == nil)
        #expect(player.currentFrameIndex == 1)
        try await decodeAll(image)
        #expect(player.tick(at: .seconds(5))?.pixel(x: 0, y: 0)?.r == 1)
        // The wait does not count.
        #expect(player.tick(at: .seconds(5) + .milliseconds(99)) == nil)
    }

    @Test func aDamagedFrameLeavesTheOneBefore() async throws {
        var frames = NumberedFrames(3)
        frames.damaged = 1
        #expect(play(try await player(frames), ticks: 4) == [0, 2, 0])
    }

    @Test func aGrowingAnimationHoldsItsLastFrame() async throws {
        let player = try await player(NumberedFrames(2))
        let longer = AnimatedImage(NumberedFrames(4))
        player.replace(with: AnimatedImage(NumberedFrames(2)), isGrowing: true)
        try await decodeAll(player.image)
        #expect(play(player, ticks: 6) == [0, 1])
        #expect(player.isPlaying)
        try await decodeAll(longer)
        player.replace(with: longer, isGrowing: false)
        #expect(player.tick(at: .milliseconds(600))?.pixel(x: 0, y: 0)?.r == 2)
    }

    @Test func aStillIsNotPlayed() {
        #expect(AnimatedImagePlayer(AnimatedImage(NumberedFrames(1))) == nil)
    }

    @Test func theBufferIsBounded() async throws {
        // Each frame takes 32 bytes.
        let image = AnimatedImage(NumberedFrames(10), maximumBufferBytes: 100)
        #expect(image.bufferCapacity == 3)
        image.prefetch([4, 5, 6, 7])
        while image.bufferedFrame(at: 6) == nil { try await Task.sleep(for: .milliseconds(1)) }
        #expect(image.bufferedFrameCount == 3)
        #expect(image.bufferedFrame(at: 7) == nil)
        let least = AnimatedImage(NumberedFrames(10), maximumBufferBytes: 1)
        #expect(least.bufferCapacity == 1)
    }
}
