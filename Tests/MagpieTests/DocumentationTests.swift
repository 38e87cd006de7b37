import Foundation
import Magpie
import MagpieHTTP
import MagpieImage
import Testing

/// Every Swift example of the documents stands below, line for line, and so compiles.
@Suite struct DocumentationTests {
    /// The folder of the package, three above this file.
    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: [
        "README.md",
        "Sources/Magpie/Magpie.docc/Magpie.md",
        "Sources/MagpieHTTP/MagpieHTTP.docc/MagpieHTTP.md",
        "Sources/MagpieImage/MagpieImage.docc/MagpieImage.md",
    ])
    func examplesCompile(document: String) throws {
        let text = try String(contentsOf: Self.package.appendingPathComponent(document), encoding: .utf8)
        let compiled = Self.lines(of: try String(contentsOfFile: #filePath, encoding: .utf8)).joined(separator: "\n")
        let examples = text.components(separatedBy: "```swift\n").dropFirst()
        #expect(!examples.isEmpty)
        for example in examples {
            let code = example.components(separatedBy: "\n```").first ?? ""
            let lines = Self.lines(of: code).filter { !$0.hasPrefix("import ") }
            #expect(compiled.contains(lines.joined(separator: "\n")), "\(document) has an example that is not compiled")
        }
    }

    /// The lines without indentation and without the empty ones.
    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    // MARK: - The examples

    // swift-format-ignore
    private func pictures(url: URL) async throws {
        // One picture: memory, then disk, then network; decoded off this thread; joined with anyone who wants the same.
        let picture = try await ImageManager.shared.image(from: url)

        // A list row: decoded at the size it is shown, never larger.
        let thumbnail = try await ImageManager.shared.image(from: url, context: .thumbnail(width: 256, height: 256))

        // The whole story of a load: progress, where it came from; change its priority; cancel it.
        let load = ImageManager.shared.load(url)
        load.priority = .high
        for await event in load.events {
            switch event {
            case .progress(let received, let expected): print("\(received) of \(expected ?? 0) bytes")
            case .finished(let result): print(try result.get().source)
            }
        }

        // A manager of your own.
        let manager = ImageManager(
            cache: ImageCache(name: "avatars", memory: .megabytes(64), disk: .megabytes(512), maxAge: .days(30)),
            downloader: ImageDownloader(maxConcurrentDownloads: 6, order: .lifo)
        )
        let avatar = try await manager.image(
            from: url, context: ImageContext(transformers: [.resize(width: 96, height: 96, mode: .aspectFill)]))
        _ = (picture, thumbnail, avatar)
    }

    // swift-format-ignore
    private func requests(url: URL) async throws {
        let api = HTTPSession(baseURL: "https://api.example.org/v1/")
        let answer = try await api.get("users/7")
        print(answer.status, answer.headerFields[.contentType] ?? "", answer.text ?? "")

        // A body as it comes; a slow reader slows the server down, not the memory up.
        let stream = try await api.stream(for: HTTPRequest(url: url))
        for try await chunk in stream.body { print(chunk.count) }
    }

    // swift-format-ignore
    private func decoding(data: Data) throws {
        let facts = try ImageCoders.shared.info(data)
        print(facts.format, facts.displayedSize, facts.frameCount)
        let small = try ImageCoders.shared.decode(data, options: ImageDecodeOptions(thumbnailSize: PixelSize(width: 512, height: 512)))
        let webp = try ImageCoders.shared.encode(small.bitmap, as: .webp)
        _ = webp
    }
}
