import Foundation

/// How the bodies of a task flow, in both directions.
extension TaskCore {
    enum Resumption {
        case none
        case exchange(any HTTPExchange)
        case flush
    }

    /// The receiver goes on, or the owner does.
    mutating func resumeReceiving() -> Resumption {
        guard case .running = phase else { return .none }
        flow.resumeReceiving()
        return goOn()
    }

    /// What is to be done where nothing holds the body back any more.
    mutating func goOn() -> Resumption {
        guard case .running = phase, flow.isOpen else { return .none }
        if let held {
            guard held.isDecided, !held.isFlushing else { return .none }
            self.held?.isFlushing = true
            return .flush
        }
        guard flow.mustResumeTransport() else { return .none }
        flow.isResumeOwed = exchange == nil
        return exchange.map { .exchange($0) } ?? .none
    }
}

// MARK: - Handing a held answer over

extension TaskCore {
    enum Flush {
        case chunk(Data)
        case finish(Result<HTTPTaskMetrics, HTTPError>)
        /// There is nothing more to hand over here and now; the transport may have to be told to go on.
        case over((any HTTPExchange)?)
    }

    mutating func nextHeld() -> Flush {
        guard let held, held.isFlushing else { return .over(nil) }
        if isCancelled {
            self.held = nil
            return held.end == nil ? .over(nil) : .finish(.failure(.cancelled))
        }
        guard flow.isOpen else {
            self.held?.isFlushing = false
            return .over(nil)
        }
        if let chunk = self.held?.takeChunk() {
            progress.completed += Int64(chunk.count)
            flow.chunkArrived()
            return .chunk(chunk)
        }
        self.held = nil
        if let end = held.end { return .finish(final(end)) }
        guard flow.mustResumeTransport() else { return .over(nil) }
        flow.isResumeOwed = exchange == nil
        return .over(exchange)
    }
}

// MARK: - The body that is sent

extension TaskCore {
    /// Notes how much of the body has been sent; `nil` where that is of no interest.
    mutating func sent(_ count: Int64, number: Int) -> HTTPProgress? {
        guard case .running = phase, number == exchangeNumber, !isCancelled else { return nil }
        uploadProgress.completed = count
        return uploadProgress
    }

    /// Notes that all has been sent, where the transport did not say so; `nil` where nothing is new.
    mutating func completeUpload() -> HTTPProgress? {
        guard request.body != nil, !uploadProgress.isComplete else { return nil }
        if let expected = uploadProgress.expected {
            // An answer may come before the whole body was sent.
            guard uploadProgress.completed == 0 else { return nil }
            uploadProgress.completed = expected
        } else {
            uploadProgress.expected = uploadProgress.completed
        }
        return uploadProgress
    }
}
