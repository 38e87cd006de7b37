import Foundation
import Magpie
import MagpieHTTP
import MagpieImage

/// `magpie demo`: the whole story on this machine, without the internet.
enum DemoCommand: Subcommand {
    static let name = "demo"
    static let synopsis = "[-o FILE]"
    static let summary = "Load the bundled pictures from a server on this machine, and show what caching does."
    static let notes = """
        Each picture is loaded three times at the size of the contact sheet: cold from the server, from disk, and
        from memory. The sheet is written to gallery.png.
        """
    static let options: [CommandOption] = [
        .value("output", "o", "FILE", "write the contact sheet to FILE (default gallery.png)")
    ]

    /// The times of one picture.
    private struct Row {
        let picture: DemoPicture
        var image: WebImage?
        var times: [ImageSource: Duration] = [:]
    }

    static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
        guard arguments.operands.isEmpty else { throw UsageError("it takes no operands") }
        let path = arguments.value("output") ?? "gallery.png"
        let pictures = DemoPicture.all.filter { ImageCoders.shared.canDecode($0.data) }
        if pictures.count < DemoPicture.all.count {
            let missing = DemoPicture.all.count - pictures.count
            Console.warn("demo: \(missing) pictures are left out, since this build cannot read their formats")
        }
        return await Interruption.run {
            do throws(Failure) {
                try await show(pictures, path)
                return .done
            } catch {
                Console.warn("demo: \(error.message)")
                return .someFailed
            }
        }
    }

    private static func show(_ pictures: [DemoPicture], _ path: String) async throws(Failure) {
        let server = try LoopbackServer(files: files(pictures))
        defer { server.stop() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("magpie-demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let downloader = ImageDownloader()
        var rows = pictures.map { Row(picture: $0) }
        // A manager of its own has an empty memory, and the second finds on disk what the first has left there.
        for source in [ImageSource.network, .disk] {
            let manager = ImageManager(cache: ImageCache(name: "cache", folder: folder), downloader: downloader)
            for index in rows.indices {
                try await load(&rows[index], from: server.url, with: manager, expecting: source)
            }
            await manager.cache.flush()
            guard source == .disk else { continue }
            for index in rows.indices {
                try await load(&rows[index], from: server.url, with: manager, expecting: .memory)
            }
        }
        printTable(rows, requests: server.requestCount)
        try writeSheet(of: rows.compactMap(\.image), to: path)
    }

    private static func files(_ pictures: [DemoPicture]) -> [String: (data: Data, contentType: String)] {
        let files = pictures.map { picture in
            let format = ImageFormat.detect(picture.data)
            return (picture.name, (data: picture.data, contentType: format?.mimeType ?? "application/octet-stream"))
        }
        return Dictionary(files, uniquingKeysWith: { first, _ in first })
    }

    private static func load(
        _ row: inout Row,
        from server: URL,
        with manager: ImageManager,
        expecting source: ImageSource
    ) async throws(Failure) {
        let url = server.appendingPathComponent(row.picture.name)
        let cell = ContactSheet.cell
        let start = ContinuousClock.now
        let load = manager.load(url, context: .thumbnail(width: cell.width, height: cell.height))
        let result = await load.resultOrCancellation
        let elapsed = ContinuousClock.now - start
        let loaded = try await Failure.wrapping { () throws(WebImageError) in try result.get() }
        guard loaded.source == source else {
            throw Failure(code: "wrong-source", message: "\(row.picture.name) came from \(loaded.source)")
        }
        row.image = loaded.image
        row.times[source] = elapsed
    }

    private static func printTable(_ rows: [Row], requests: Int) {
        let columns = [30, 6, 12, 11, 11, 11]
        func line(_ cells: [String]) -> String {
            zip(cells, columns).enumerated().map { index, cell in
                let gap = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
                return index < 2 ? cell.0 + gap : gap + cell.0
            }.joined(separator: " ")
        }
        Console.print(line(["picture", "format", "pixels", "network", "disk", "memory"]))
        for row in rows {
            guard let info = row.image?.info else { continue }
            let pixels = "\(info.displayedSize.width) x \(info.displayedSize.height)"
            let times = [ImageSource.network, .disk, .memory].map { milliseconds(row.times[$0]) }
            Console.print(line([row.picture.title, info.format.rawValue, pixels] + times))
        }
        let totals = [ImageSource.network, .disk, .memory].map { source in
            milliseconds(rows.compactMap { $0.times[source] }.reduce(.zero, +))
        }
        Console.print(line(["\(rows.count) pictures", "", "\(requests) requests"] + totals))
    }

    private static func milliseconds(_ time: Duration?) -> String {
        guard let time else { return "-" }
        return String(format: "%.3f ms", time / .milliseconds(1))
    }

    private static func writeSheet(of images: [WebImage], to path: String) throws(Failure) {
        let (png, lines) = try Failure.wrapping { () throws(ImageCodingError) in
            let sheet = try ContactSheet.make(of: images)
            let lines = TerminalPicture.isPossible ? try TerminalPicture.lines(of: sheet) : []
            return (try ImageCoders.shared.encode(sheet, as: .png), lines)
        }
        lines.forEach { Console.print($0) }
        try OutputFile.write(png, to: path, replaces: true)
        Console.print("contact sheet: \(path)")
    }
}
