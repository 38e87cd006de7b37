import Foundation
import Magpie
import MagpieConcurrency
import MagpieHTTP
import MagpieImage

/// What one call of `magpie get` does for each of its pictures.
final class GetJob: Sendable {
    /// One line of `--json`.
    private struct Report: Encodable {
        var url: String
        var ok: Bool
        var source: String?
        var format: String?
        var width: Int?
        var height: Int?
        var frames: Int?
        var bytes: Int?
        var path: String?
        var ms: Double
        var error: Failure?
    }

    private let manager: ImageManager
    private let options: ImageOptions
    private let context: ImageContext
    private let encoding: ImageEncodeOptions
    private let format: ImageFormat?
    private let arguments: ParsedArguments
    /// Encodes and writes, so that the threads that the loads' tasks run on stay free.
    private let workers = WorkerPool(name: "magpie.write", width: ProcessInfo.processInfo.activeProcessorCount)
    private let names: Lock<OutputNames>

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        manager = try PictureArguments.manager(arguments)
        var context = ImageContext(thumbnail: try PictureArguments.thumbnail(arguments))
        context.transformers = try TransformArguments.transformers(arguments)
        context.headerFields = try PictureArguments.headerFields(arguments)
        var options: ImageOptions = [.waitStoreCache, .queryMemoryData]
        if arguments.has("cache-only") { options.insert(.fromCacheOnly) }
        if arguments.has("memory-only") {
            context.queryCacheTypes = .memory
            context.storeCacheTypes = .memory
        }
        if arguments.has("no-cache") {
            if arguments.has("cache-only") { throw UsageError("--no-cache and --cache-only exclude each other") }
            options.insert(.fromLoaderOnly)
            context.storeCacheTypes = []
        }
        self.options = options
        self.context = context
        format = try Self.format(arguments)
        encoding = try Self.encoding(arguments)
        if arguments.has("original"), format != nil || context.thumbnail != nil || !context.transformers.isEmpty {
            throw UsageError("--original writes the bytes as received; nothing that changes a picture goes with it")
        }
        if arguments.value("output") == "-", arguments.operands.count > 1 || arguments.has("json") {
            throw UsageError("-o - writes one picture to standard output, and nothing else")
        }
        names = Lock(OutputNames(target: arguments.value("output"), count: arguments.operands.count))
    }

    /// The formats that this build writes, for the help and for messages.
    static let formatNames: String = {
        let all: [ImageFormat] = [.jpeg, .png, .apng, .gif, .webp, .avif, .jxl, .tiff]
        let names = all.filter(ImageCoders.shared.canEncode).map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }()

    private static func format(_ arguments: ParsedArguments) throws(UsageError) -> ImageFormat? {
        guard let text = arguments.value("format") else { return nil }
        let format = ImageFormat(fileExtension: text) ?? ImageFormat(rawValue: text)
        guard ImageCoders.shared.canEncode(format) else {
            throw UsageError("--format takes \(formatNames), not '\(text)'")
        }
        return format
    }

    private static func encoding(_ arguments: ParsedArguments) throws(UsageError) -> ImageEncodeOptions {
        var encoding = ImageEncodeOptions()
        if let quality = try arguments.integer("quality", in: 1...100) { encoding.quality = Double(quality) / 100 }
        return encoding
    }

    /// Loads and writes all pictures, a number at a time, and prints what became of each.
    func run(_ urls: [String], concurrency: Int) async -> ExitStatus {
        if let folder = names.withLock({ $0.folder }) {
            do throws(Failure) {
                try OutputFile.makeFolder(folder)
            } catch {
                Console.warn(error.message)
                return .someFailed
            }
        }
        return await withTaskGroup(of: Bool.self) { group in
            var rest = urls[...]
            for _ in 0..<concurrency {
                guard let url = rest.popFirst() else { break }
                group.addTask { await self.get(url) }
            }
            var succeeded = 0
            var finished = 0
            for await isDone in group {
                finished += 1
                if isDone { succeeded += 1 }
                Console.progress(finished < urls.count ? "\(finished) of \(urls.count)" : "")
                if let url = rest.popFirst(), !Task.isCancelled { group.addTask { await self.get(url) } }
            }
            return succeeded == urls.count ? .done : .someFailed
        }
    }

    private func get(_ text: String) async -> Bool {
        let start = ContinuousClock.now
        var report = Report(url: text, ok: true, ms: 0)
        do throws(Failure) {
            try await get(text, &report)
        } catch {
            report.ok = false
            report.error = error
        }
        let elapsed = ContinuousClock.now - start
        report.ms = (elapsed / .microseconds(1)).rounded() / 1000
        show(report)
        return report.ok
    }

    private func get(_ text: String, _ report: inout Report) async throws(Failure) {
        guard let url = try PictureArguments.url(text) else { throw Failure(WebImageError.invalidURL(text)) }
        let (data, format, isConverted) =
            arguments.has("original")
            ? try await original(url, &report) : try await picture(url, &report)
        let place = names.withLock { $0.next(for: url, format: format, isConverted: isConverted) }
        report.format = format.rawValue
        report.bytes = data.count
        let replaces = arguments.has("force") || !names.withLock { $0.areChosenByURL }
        let written = await workers.perform { () -> Result<Void, Failure> in
            Result { () throws(Failure) in
                switch place {
                case .standardOutput: try OutputFile.writeToStandardOutput(data)
                case .file(let path): try OutputFile.write(data, to: path, replaces: replaces)
                }
            }
        }
        try written.get()
        if case .file(let path) = place { report.path = path }
    }

    /// The bytes as received, whatever they are.
    private func original(_ url: URL, _ report: inout Report) async throws(Failure) -> Output {
        let result = try await Failure.wrapping { () throws(WebImageError) in
            try await self.manager.data(from: url, options: self.options, context: self.context)
        }
        report.source = result.source.rawValue
        return (result.data, ImageFormat.detect(result.data) ?? ImageFormat(rawValue: "bin"), false)
    }

    /// The picture, decoded; encoded anew when something was asked of it.
    private func picture(_ url: URL, _ report: inout Report) async throws(Failure) -> Output {
        let result = await manager.load(url, options: options, context: context).resultOrCancellation
        let loaded = try await Failure.wrapping { () throws(WebImageError) in try result.get() }
        let image = loaded.image
        report.source = loaded.source.rawValue
        report.width = image.width
        report.height = image.height
        report.frames = image.info.frameCount
        let isAnimation = image.info.frameCount > 1 && !arguments.has("first-frame")
        let isChanged = format != nil || context.thumbnail != nil || !context.transformers.isEmpty
        if !isChanged, isAnimation || image.info.frameCount == 1 {
            return (try await received(loaded, from: url, &report), image.format, false)
        }
        let animation = isAnimation ? try await received(loaded, from: url, &report) : nil
        let target = format ?? Self.encodable(image)
        let encoded = await workers.perform { [self] () -> Result<Data, ImageCodingError> in
            Result { () throws(ImageCodingError) in
                guard let animation else {
                    return try ImageCoders.shared.encode(image.bitmap, as: target, options: encoding)
                }
                return try ImageCoders.shared.encode(frames: frames(of: animation), as: target, options: encoding)
            }
        }
        let file = try Failure.wrapping { () throws(ImageCodingError) in try encoded.get() }
        report.frames = (try? ImageCoders.shared.info(file).frameCount) ?? 1
        return (file, target, target != image.format)
    }

    /// The bytes of a picture that was loaded.
    ///
    /// Without a disk cache, a picture whose address stands twice on the command line is in memory alone; it is asked for again.
    private func received(
        _ loaded: ImageResult,
        from url: URL,
        _ report: inout Report
    ) async throws(Failure) -> Data {
        if let data = loaded.data { return data }
        let again = try await Failure.wrapping { () throws(WebImageError) in
            try await self.manager.data(from: url, options: self.options, context: self.context)
        }
        report.source = again.source.rawValue
        return again.data
    }

    /// All frames of an animation, changed as its first one was.
    private func frames(of data: Data) throws(ImageCodingError) -> any ImageFrameSource {
        var decoding = ImageDecodeOptions()
        decoding.setThumbnail(context.thumbnail)
        let frames = try ImageCoders.shared.frames(of: data, options: decoding)
        return context.transformers.isEmpty
            ? frames : frames.transformed(by: PipelineTransformer(context.transformers))
    }

    private typealias Output = (data: Data, format: ImageFormat, isConverted: Bool)

    /// The picture's own format; where that cannot be written, PNG for one with transparency and JPEG for the others.
    private static func encodable(_ image: WebImage) -> ImageFormat {
        if ImageCoders.shared.canEncode(image.format) { return image.format }
        return image.bitmap.alpha == .opaque ? .jpeg : .png
    }

    private func show(_ report: Report) {
        Console.progress("")
        if let error = report.error, error.code == WebImageError.cancelled.code { return }
        if arguments.has("json") { return Console.print(json: report) }
        if let error = report.error { return Console.fail(report.url, error.message) }
        guard let path = report.path else { return }
        let size = report.width.map { "\($0) x \(report.height ?? 0) " } ?? ""
        let facts = "\(size)\(report.format ?? ""), \(report.bytes ?? 0) bytes, \(report.source ?? ""), \(report.ms) ms"
        Console.print(result: [path, facts])
    }
}
