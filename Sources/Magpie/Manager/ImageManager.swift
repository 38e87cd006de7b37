public import Foundation
public import MagpieHTTP
public import MagpieImage

/// Loads pictures: from memory, from disk, from the network, whichever has it first.
///
/// Loads of the same picture share their work: its bytes are downloaded once, decoded once for each size, and each
/// transformer runs once for all who want it. Work stops when the last of those who wait for it has cancelled.
///
/// Everything may be called from any thread. A picture in memory is found on the caller's thread without waiting;
/// everything else happens on threads of the library's own.
public final class ImageManager: Sendable {
    /// The manager for those who need no other: the shared cache, downloader and coders.
    public static let shared = ImageManager()

    /// Where pictures are kept.
    public let cache: ImageCache

    /// What fetches them.
    public let downloader: ImageDownloader

    private let pipeline: LoadPipeline

    /// A manager of these parts.
    ///
    /// - Parameters:
    ///   - cache: where pictures are kept.
    ///   - downloader: what fetches them.
    ///   - coders: what reads them.
    ///   - limits: what a picture may claim to be before it is refused, which its header is asked for before any
    ///     memory is.
    public init(
        cache: ImageCache = .shared,
        downloader: ImageDownloader = .shared,
        coders: ImageCoders = .shared,
        limits: ImageLimits = ImageLimits()
    ) {
        self.cache = cache
        self.downloader = downloader
        pipeline = LoadPipeline(cache: cache, downloader: downloader, coders: coders, limits: limits)
    }

    /// Loads a picture.
    ///
    /// Cancelling the Swift task that waits cancels the load.
    public func image(
        from url: URL,
        options: ImageOptions = [],
        context: ImageContext = ImageContext()
    ) async throws(WebImageError) -> WebImage {
        let request = LoadRequest(url: url, options: options, context: context)
        if request.key.asksMemory, let image = cache.image(for: request.key.image) { return image }
        return try await start(request, options).outcomeCancelledWithTask().get().image
    }

    /// Starts to load a picture and returns a handle at once; a picture in memory is in the handle already.
    @discardableResult
    public func load(
        _ url: URL,
        options: ImageOptions = [],
        context: ImageContext = ImageContext()
    ) -> ImageLoad {
        let request = LoadRequest(url: url, options: options, context: context)
        guard request.key.asksMemory, let image = cache.image(for: request.key.image) else {
            return ImageLoad(url: url, ticket: start(request, options))
        }
        let result = ImageResult(image: image, source: .memory, url: url)
        return ImageLoad(
            url: url,
            ticket: options.contains(.queryMemoryData) ? addData(to: result, request) : Ticket(.success(result))
        )
    }

    /// Starts to load a picture and calls `completion` exactly once.
    ///
    /// - Parameters:
    ///   - url: the address of the picture.
    ///   - options: what is done differently from the usual.
    ///   - context: what is made of the picture.
    ///   - progress: told how far the bytes have come, on a thread of the library; must return quickly.
    ///   - completion: told the result: before this call returns when the picture is in memory, on the thread that
    ///     cancels when the load is cancelled, else on a thread of the library, which it must not block.
    @discardableResult
    public func load(
        _ url: URL,
        options: ImageOptions = [],
        context: ImageContext = ImageContext(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<ImageResult, WebImageError>) -> Void
    ) -> ImageLoad {
        let load = load(url, options: options, context: context)
        load.observe(progress: progress, completion: completion)
        return load
    }

    /// Loads the bytes of a picture, from disk or network, without decoding them.
    ///
    /// Cancelling the Swift task that waits cancels the load.
    ///
    /// Of `context`, only what concerns bytes is used: fields, cache types and key.
    public func data(
        from url: URL,
        options: ImageOptions = [],
        context: ImageContext = ImageContext()
    ) async throws(WebImageError) -> ImageDataResult {
        let source = LoadRequest(url: url, options: options, context: context).key.source
        let ticket = Ticket<LoadPipeline.Bytes>(priority: Self.priority(of: options))
        ticket.attach(pipeline.data(source, ticket.waiter))
        let bytes = try await ticket.outcomeCancelledWithTask().get()
        if options.contains(.waitStoreCache) { await cache.flush() }
        return ImageDataResult(data: bytes.data.data, contentType: bytes.data.contentType, source: bytes.source)
    }

    private func start(_ request: LoadRequest, _ options: ImageOptions) -> Ticket<ImageResult> {
        let url = request.key.source.url
        let ticket = Ticket<ImageResult>(priority: Self.priority(of: options))
        let waitsForStore = options.contains(.waitStoreCache)
        let keepsData = options.contains(.queryMemoryData)
        let waiter = SharedJob<LoadPipeline.Picture>.Waiter(
            priority: ticket.priority,
            progressed: ticket.report
        ) { [self, cache] outcome in
            let result = outcome.map { picture in
                ImageResult(
                    image: picture.image,
                    source: picture.source,
                    url: url,
                    data: keepsData ? picture.data : nil
                )
            }
            if keepsData, case .success(let found) = result, found.source == .memory {
                // Another load put the image into memory meanwhile.
                return self.addData(to: found, request).observe(completed: ticket.deliver)
            }
            guard waitsForStore else { return ticket.deliver(result) }
            Task {
                await cache.flush()
                ticket.deliver(result)
            }
        }
        ticket.attach(pipeline.image(request, waiter))
        return ticket
    }

    /// A result that waits for the bytes on disk, and does without where there are none.
    private func addData(to result: ImageResult, _ request: LoadRequest) -> Ticket<ImageResult> {
        guard request.key.source.asksDisk else { return Ticket(.success(result)) }
        let ticket = Ticket<ImageResult>(priority: .normal)
        let read = cache.readData(for: request.key.source.cacheKey, priority: .normal) { found in
            var result = result
            result.data = found?.data
            ticket.deliver(.success(result))
        }
        if let read { ticket.attach(read) }
        return ticket
    }

    private static func priority(of options: ImageOptions) -> HTTPPriority {
        if options.contains(.highPriority) { return .high }
        return options.contains(.lowPriority) ? .low : .normal
    }
}
