import Foundation

/// How far a request comes, and at last its response.
///
///     for try await progress in provider.requestWithProgress(.upload(photo)) {
///         bar.fraction = progress.progress
///         if let response = progress.response { … }
///     }
///
/// Values never go back, and the last one holds the response. A reader that takes its time misses values between, but never
/// the last. The request begins with the loop, each loop makes one, and leaving it early cancels the request.
public struct ProgressSequence: AsyncSequence, Sendable {
    typealias Update = ProgressUpdate

    /// Reads the values.
    public struct Iterator: AsyncIteratorProtocol {
        var updates: AsyncStream<Update>.Iterator
        var isOver = false

        /// The next value, `nil` after the one with the response.
        ///
        /// - Throws: ``MoyaError`` if the request fails; if the reader's task is cancelled, with `URLError.cancelled`.
        public mutating func next() async throws(MoyaError) -> ProgressResponse? {
            guard !isOver else { return nil }
            guard let update = await updates.next() else {
                // Before the result, only the end of the reader's task ends the stream.
                isOver = true
                throw .underlying(URLError.cancelled(url: nil), nil)
            }
            switch update {
            case .success(let progress): isOver = progress.completed
            case .failure: isOver = true
            }
            return try update.get()
        }
    }

    let start: @Sendable (AsyncStream<Update>.Continuation) -> any Cancellable

    /// Begins the request.
    public func makeAsyncIterator() -> Iterator {
        // What is newer says all that what is older did.
        let (updates, end) = AsyncStream.makeStream(of: Update.self, bufferingPolicy: .bufferingNewest(1))
        let request = start(end)
        end.onTermination = { _ in request.cancel() }
        return Iterator(updates: updates.makeAsyncIterator())
    }
}

extension MoyaProvider {
    /// Requests a target and tells how far the request has come, as a sequence to be read.
    ///
    /// Nothing is sent before the sequence is read.
    public func requestWithProgress(_ target: Target) -> ProgressSequence {
        ProgressSequence { [self] updates in
            requestUpdates(of: target, callbackQueue: callbackQueue ?? .global()) { update in
                updates.yield(update)
                guard case .success(let progress) = update, !progress.completed else { return updates.finish() }
            }
        }
    }
}

/// A value of a series of progress; the last one is a failure or has the response.
package typealias ProgressUpdate = Result<ProgressResponse, MoyaError>

extension MoyaProviderType {
    /// Requests a target, and reports progress and the result as one series of updates, on the queue of `request`.
    package func requestUpdates(
        of target: Target,
        callbackQueue: DispatchQueue?,
        update: @escaping @Sendable (ProgressUpdate) -> Void
    ) -> any Cancellable {
        let series = Locked(ProgressSeries())
        return request(target, callbackQueue: callbackQueue) { progress in
            if let progress = series.withLock({ $0.advanced(progress) }) { update(.success(progress)) }
        } completion: { result in
            series.withLock { $0.ended(result) }.forEach(update)
        }
    }
}

/// Makes one series of the calls for progress and the one for the result.
struct ProgressSeries: Sendable {
    private var progress: Progress?
    private var heldBack = false

    /// A call for progress, and what it gives.
    ///
    /// One that has the response gives nothing: that comes with the result, which plugins may have changed.
    mutating func advanced(_ news: ProgressResponse) -> ProgressResponse? {
        progress = news.progressObject ?? progress
        guard !news.completed else {
            heldBack = true
            return nil
        }
        return ProgressResponse(progress: progress)
    }

    /// The result, and what it gives: before a failure there is always a last look at the progress.
    func ended(_ result: Result<Response, MoyaError>) -> [ProgressUpdate] {
        switch result {
        case .success(let response): [.success(ProgressResponse(progress: progress, response: response))]
        case .failure(let error) where heldBack: [.success(ProgressResponse(progress: progress)), .failure(error)]
        case .failure(let error): [.failure(error)]
        }
    }
}

/// How far a request has come; the last one has the response.
public struct ProgressResponse: Sendable {
    /// The response, in the last call of a request that succeeded.
    public let response: Response?
    /// Bytes so far and in all, as Foundation counts them.
    public let progressObject: Progress?

    /// Makes one.
    public init(progress: Progress? = nil, response: Response? = nil) {
        progressObject = progress
        self.response = response
    }

    /// From 0 to 1: 1 once there is a response, 0 while the length is not known.
    public var progress: Double {
        if completed { return 1 }
        guard let progressObject, progressObject.totalUnitCount > 0 else { return 0 }
        return progressObject.fractionCompleted
    }

    /// Whether there is a response.
    public var completed: Bool { response != nil }

    /// How far it has come, as long as there is no response.
    package var progressUntilCompleted: Double? { completed ? nil : progress }
}
