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

    private struct User: Decodable {}

    private struct NewUser: Encodable { let name: String }

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
    private func requests(
        url: URL, photo: URL, file: URL, pin: String, tokens: some HTTPTokenStore
    ) async throws {
        let api = HTTPSession(baseURL: "https://api.example.org/v1/")
        let user = try await api.get("users/7").decode(User.self)
        let created = try await api.post("users", json: NewUser(name: "Ada")).decode(User.self)
        let page = try await api.get("search", query: ["q": "magpie", "tags": ["bird", "blue"]]).json()
        print(user, created, page["items"][0]["title"].string ?? "")

        // A form of many parts, streamed from disk; a download that goes on where it ended, also after a restart.
        try await api.upload(to: "photos") { form in
            form.append(file: photo, name: "photo")
            form.append("A magpie", name: "title")
        } progress: { print($0.fraction ?? 0) }
        try await api.download("backup.tar", to: file, resuming: true)

        // A body as it comes; a slow reader slows the server down, not the memory up.
        for try await line in api.stream("events").lines { print(line) }

        // Retries with back-off and a budget; one refresh of a token however many requests wait for it.
        api.interceptors = [.retry(.exponential(limit: 3)), .authentication(tokens)]

        // A session that keeps answers as RFC 9111 says, and believes one host by its key alone.
        var configuration = HTTPSession.Configuration(trust: .pinned(publicKeys: [pin], for: "bank.example"))
        configuration.cache = HTTPCache(storage: DiskHTTPCacheStorage())
        let bank = HTTPSession(configuration: configuration)

        for await status in NetworkReachability.shared.changes { print(status, bank.runningTaskCount) }
    }

    // swift-format-ignore
    private func decoding(data: Data) throws {
        let facts = try ImageCoders.shared.info(data)
        print(facts.format, facts.displayedSize, facts.frameCount)
        let small = try ImageCoders.shared.decode(data, options: ImageDecodeOptions(thumbnailSize: PixelSize(width: 512, height: 512)))
        let webp = try ImageCoders.shared.encode(small.bitmap, as: .webp)

        // An animation, turned and written anew; frames are decoded one at a time.
        let frames = try ImageCoders.shared.frames(of: data)
        let turned = try ImageCoders.shared.encode(frames: frames.transformed(by: .rotate(angle: .pi / 2)), as: .gif)
        _ = (webp, turned)
    }
}
