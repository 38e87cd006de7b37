import Foundation
import MagpieHTTP
import MagpieImage

/// How a picture that is not in memory is made: bytes from disk or network, decoded, transformed.
///
/// Work is joined at three levels by tables of the jobs that run: bytes in one, decoded and transformed images in
/// another, by the transformers applied so far. A job holds a place in the job below that it waits for, so that leaving
/// and priority travel down from job to job. The code here only sets work going and passes results up; decoding runs
/// on `workers`, files are read on the cache's threads, and the network has its own.
final class LoadPipeline: Sendable {
    typealias Bytes = (data: CachedData, source: ImageSource)
    typealias Picture = (image: WebImage, source: ImageSource, data: Data?)

    private let cache: ImageCache
    private let downloader: ImageDownloader
    private let coders: ImageCoders
    private let limits: ImageLimits
    private let workers: WorkerPool
    private let bytes = JobTable<LoadRequest.Source, Bytes>()
    private let images = JobTable<LoadRequest.ImageKey, Picture>()

    init(cache: ImageCache, downloader: ImageDownloader, coders: ImageCoders, limits: ImageLimits) {
        self.cache = cache
        self.downloader = downloader
        self.coders = coders
        self.limits = limits
        workers = WorkerPool(name: "magpie.decode", width: ProcessInfo.processInfo.activeProcessorCount)
    }

    // MARK: - Images

    /// Joins the job that makes an image, or starts it.
    func image(_ request: LoadRequest, _ waiter: SharedJob<Picture>.Waiter) -> any SharedOperation {
        images.join(request.key, waiter) { job in
            // Another job for this image may have ended since the caller looked.
            if request.key.asksMemory, let image = cache.image(for: request.key.image) {
                job.finish(.success((image, .memory, nil)))
            } else if let (former, transformer) = request.beforeLastTransformer() {
                transform(former, with: transformer, for: job, request)
            } else {
                decode(request, for: job, asksDisk: request.key.source.asksDisk)
            }
        }
    }

    private func transform(
        _ former: LoadRequest,
        with transformer: any ImageTransformer,
        for job: SharedJob<Picture>,
        _ request: LoadRequest
    ) {
        let place = image(
            former,
            waiter(for: job) { [workers] base in
                workers.run(priority: job.priority) {
                    guard !job.isClosed else { return }
                    job.finish(self.transformed(base, with: transformer, request))
                }
            }
        )
        job.setOperation(place, step: 0)
    }

    private func transformed(
        _ base: Picture,
        with transformer: any ImageTransformer,
        _ request: LoadRequest
    ) -> SharedJob<Picture>.Outcome {
        do throws(ImageCodingError) {
            let bitmap = try transformer.transform(base.image.bitmap)
            let image = WebImage(bitmap: bitmap, info: base.image.info, scale: base.image.scale)
            keep(image, request)
            return .success((image, base.source, base.data))
        } catch {
            return .failure(.transformFailed(key: transformer.key, error))
        }
    }

    private func decode(_ request: LoadRequest, for job: SharedJob<Picture>, asksDisk: Bool) {
        var source = request.key.source
        source.asksDisk = asksDisk
        let step = asksDisk ? 0 : 2
        let place = data(
            source,
            waiter(for: job, step: step + 1) { [workers] bytes in
                workers.run(priority: job.priority) {
                    guard !job.isClosed else { return }
                    self.decode(bytes, request, for: job)
                }
            }
        )
        job.setOperation(place, step: step)
    }

    private func decode(_ bytes: Bytes, _ request: LoadRequest, for job: SharedJob<Picture>) {
        do throws(ImageCodingError) {
            let decoded = try coders.decode(bytes.data.data, options: options(for: request))
            let image = WebImage(bitmap: decoded.bitmap, info: decoded.info, scale: request.key.image.scale)
            keep(image, request)
            job.finish(.success((image, bytes.source, bytes.data.data)))
        } catch {
            let isDamaged = Self.meansDamage(error)
            if isDamaged, request.key.source.keepsOnDisk || bytes.source == .disk {
                cache.discardData(for: bytes.data.key)
            }
            if isDamaged, bytes.source == .disk, request.key.source.asksNetwork {
                // What was on disk is no picture any more; the server's may be.
                decode(request, for: job, asksDisk: false)
            } else {
                job.finish(.failure(.undecodable(error, contentType: bytes.data.contentType)))
            }
        }
    }

    /// Whether an error is the fault of the bytes, so that other bytes might do; limits and memory are this program's.
    private static func meansDamage(_ error: ImageCodingError) -> Bool {
        switch error {
        case .empty, .unknownFormat, .corrupt, .truncated: true
        default: false
        }
    }

    private func options(for request: LoadRequest) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.limits = limits
        options.setThumbnail(request.key.image.thumbnail)
        return options
    }

    private func keep(_ image: WebImage, _ request: LoadRequest) {
        if request.key.keepsInMemory { cache.store(image, for: request.key.image) }
    }

    /// A waiter in a job below: its failure ends `job`, its success starts the next piece of work.
    private func waiter<Input: Sendable>(
        for job: SharedJob<Picture>,
        step: Int = 1,
        _ proceed: @escaping @Sendable (Input) -> any SharedOperation
    ) -> SharedJob<Input>.Waiter {
        SharedJob<Input>.Waiter(priority: job.priority, progressed: job.report) { outcome in
            switch outcome {
            case .success(let input): job.setOperation(proceed(input), step: step)
            case .failure(let error): job.finish(.failure(error))
            }
        }
    }

    // MARK: - Bytes

    /// Joins the job that gets a picture's bytes, or starts it.
    func data(_ source: LoadRequest.Source, _ waiter: SharedJob<Bytes>.Waiter) -> any SharedOperation {
        bytes.join(source, waiter) { job in
            guard source.asksDisk else { return download(source, for: job) }
            let read = cache.readData(for: source.cacheKey, priority: job.priority) { found in
                if let found {
                    job.finish(.success((found, .disk)))
                } else if !job.isClosed {
                    self.download(source, for: job)
                }
            }
            if let read { job.setOperation(read, step: 0) }
        }
    }

    private func download(_ source: LoadRequest.Source, for job: SharedJob<Bytes>) {
        guard source.asksNetwork else { return job.finish(.failure(.notCached)) }
        let waiter = SharedJob<DownloadedData>.Waiter(priority: job.priority, progressed: job.report) { outcome in
            // Coders are asked about the bytes, which may be somebody's own code: not on the network's thread.
            self.workers.run(priority: job.priority) { job.finish(outcome.map { self.received($0, source) }) }
        }
        job.setOperation(downloader.join(source.url, headerFields: source.headerFields, waiter), step: 1)
    }

    private func received(_ answer: DownloadedData, _ source: LoadRequest.Source) -> Bytes {
        let fields = answer.response.headerFields
        var data = CachedData(
            key: source.cacheKey,
            data: answer.data,
            contentType: fields[.contentType],
            entityTag: fields[.etag],
            lastModified: fields[.lastModified]
        )
        data.url = source.url
        data.cacheControl = fields[.cacheControl]
        data.expires = fields[.expires]
        // What no coder would read (an error page with status 200) is not worth keeping.
        if source.keepsOnDisk, coders.canDecode(answer.data) { cache.store(data) }
        return (data, .network)
    }
}
