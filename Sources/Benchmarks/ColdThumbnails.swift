import Foundation
import Magpie
import MagpieImage
import MagpieTestSupport

/// A folder of pictures that nobody has seen yet, shown as thumbnails: download and decode of all.
///
/// The reference reads the same files from disk, with no network in between.
enum ColdThumbnails {
    private static let pictureCount = 200
    private static let side = 256

    static let row = BenchmarkRow(
        name: "cold-thumbnails",
        summary: "\(pictureCount) JPEG, PNG and WebP pictures from nginx on this machine to \(side) pixels",
        unit: "s",
        isLargerBetter: false,
        contenders: [
            .init(name: "ImageManager") { try await load($0) },
            .init(name: "Pillow, from disk") { try pillow($0) },
        ],
        reference: "Pillow, from disk",
        missing: { missing }
    ) {
        let server = try await NginxServer.start()
        try writePictures(to: server.root)
        return .init(context: ["url": server.url("/").absoluteString, "root": server.root.path]) { server.stop() }
    }

    private static var missing: String? {
        if !NginxServer.isAvailable { return "nginx or openssl is not installed" }
        return PythonReference.hasPillow ? nil : "Pillow is not installed"
    }

    private static func load(_ context: BenchmarkRow.Context) async throws -> Double {
        guard let root = URL(string: context["url"] ?? "") else { return 0 }
        let folder = try TemporaryFolder()
        let manager = ImageManager(
            cache: ImageCache(name: "cold", folder: folder.url),
            downloader: ImageDownloader()
        )
        let start = ContinuousClock.now
        let loads = (0..<pictureCount).map { number in
            manager.load(root.appendingPathComponent(name(number)), context: .thumbnail(width: side, height: side))
        }
        for load in loads { _ = try await load.result.get() }
        let elapsed = ContinuousClock.now - start
        await manager.cache.flush()
        return elapsed / .seconds(1)
    }

    private static func pillow(_ context: BenchmarkRow.Context) throws -> Double {
        let root = context["root"] ?? ""
        return try PythonReference.pillowSeconds((0..<pictureCount).map { "\(root)/\(name($0))" }, side: side)
    }

    // MARK: - The pictures

    private static func name(_ number: Int) -> String { "picture-\(number).\(format(number).fileExtension)" }

    /// Half of the pictures are JPEG, the others PNG and WebP.
    private static func format(_ number: Int) -> ImageFormat {
        switch number % 4 {
        case 0, 1: .jpeg
        case 2: .png
        default: .webp
        }
    }

    /// Writes twenty different pictures, each under ten names.
    private static func writePictures(to root: URL) throws {
        let different = 20
        for number in 0..<different {
            let width = 800 + number * 40
            let bitmap = try WavePicture.bitmap(width: width, height: width * 3 / 4, seed: UInt64(number))
            let data = try ImageCoders.shared.encode(bitmap, as: format(number))
            for copy in stride(from: number, to: pictureCount, by: different) {
                try data.write(to: root.appendingPathComponent(name(copy)))
            }
        }
    }
}
