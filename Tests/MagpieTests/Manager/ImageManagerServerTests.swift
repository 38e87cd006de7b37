import Foundation
import Magpie
import MagpieHTTP
import MagpieImage
import MagpieTestSupport
import Testing

/// The manager with real parts: nginx, libcurl, the codecs, files.
@Suite(.enabled(if: NginxServer.isAvailable, "nginx and openssl are not installed"), .timeLimit(.minutes(1)))
struct ImageManagerServerTests {
    private let cacheFolder: TemporaryFolder
    private let name = "manager-\(UUID().uuidString)"
    private let manager: ImageManager

    init() throws {
        cacheFolder = try TemporaryFolder()
        manager = ImageManager(
            cache: ImageCache(name: "cache", folder: cacheFolder.url),
            downloader: ImageDownloader()
        )
    }

    /// Puts a picture on the server and returns its address.
    private func serve(_ data: Data, as suffix: String = "", through path: String = "") async throws -> URL {
        let server = try await NginxServer.shared()
        try data.write(to: server.root.appendingPathComponent("\(name)\(suffix).png"))
        return server.url("\(path)/\(name)\(suffix).png")
    }

    private func requests() async throws -> [NginxRequest] {
        try await NginxServer.shared().requests().filter { $0.target.hasSuffix("/\(name).png") }
    }

    @Test func aThousandLoadsAreOneLineInTheServersLog() async throws {
        // A server that sends 64 KB a second holds the download until all have asked.
        let url = try await serve(TestPicture.encoded(width: 300, height: 200), through: "/slow")
        let images = try await withThrowingTaskGroup(of: WebImage.self) { group in
            for _ in 0..<1000 { group.addTask { try await manager.image(from: url) } }
            return try await group.reduce(into: [ObjectIdentifier: Int]()) { $0[ObjectIdentifier($1), default: 0] += 1 }
        }
        #expect(images.count == 1)
        #expect(images.values.first == 1000)
        let isLogged = try await eventually { try await requests().count >= 1 }
        #expect(isLogged)
        #expect(try await requests().count == 1)
    }

    @Test func cancellingAllClosesTheConnection() async throws {
        let reached = TestGate()
        let closed = TestGate()
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Content-Length: 1000000"])
            reached.open()
            if connection.waitForPeerToClose(seconds: 20) { closed.open() }
        }
        let loads = (0..<1000).map { _ in manager.load(server.url("/a.png")) }
        await reached.pass()
        #expect(server.requests.count == 1)
        loads.forEach { $0.cancel() }
        await closed.pass()
        for load in loads { #expect(load.isFinished) }
        #expect(manager.downloader.currentDownloadCount == 0)
    }

    @Test func everyFormatTravelsTheWholeWay() async throws {
        for format in [ImageFormat.jpeg, .png, .webp] {
            let data = try TestPicture.encoded(width: 120, height: 80, as: format)
            let url = try await serve(data, as: format.rawValue)
            let result = try await manager.load(url, context: .thumbnail(width: 60, height: 60)).result.get()
            #expect(result.image.format == format)
            #expect(result.image.width == 60 && result.image.height == 40)
        }
    }

    @Test func compressedAnswersAreDecompressedAndKeptSo() async throws {
        let data = try TestPicture.encoded(width: 50, height: 50)
        let url = try await serve(data, through: "/gzip")
        _ = try await manager.image(from: url, options: [.waitStoreCache])
        #expect(await manager.cache.data(for: url.absoluteString)?.data == data)
    }

    @Test func redirectsAreFollowedAndTheAddressAskedForIsTheKey() async throws {
        let url = try await serve(TestPicture.encoded(), through: "/moved")
        _ = try await manager.image(from: url, options: [.waitStoreCache])
        #expect(try await manager.load(url).result.get().source == .memory)
        #expect(await manager.cache.data(for: url.absoluteString) != nil)
    }

    @Test func twoManagersOnOneFolderShareWhatTheyFetch() async throws {
        let url = try await serve(TestPicture.encoded())
        let other = ImageManager(
            cache: ImageCache(name: "cache", folder: cacheFolder.url),
            downloader: ImageDownloader()
        )
        _ = try await manager.image(from: url, options: [.waitStoreCache])
        #expect(try await other.load(url).result.get().source == .disk)
    }
}
