import Foundation

/// A sequence of the progress of a request, which ends with its response.
///
///     for try await progress in provider.requestWithProgress(.upload(photo)) {
///         bar.fraction = progress.progress
///         if let response = progress.response { … }
///     }
///
/// The last value has the response. A slow reader misses values in between, but never the last
/// one. Each loop starts a request, and leaving the loop early cancels it.
public struct ProgressSequence: AsyncSequence, Sendable {
    typealias Update = ProgressUpdate

    /// An iterator over the values.
    public struct Iterator: AsyncIteratorProtocol {
        var updates: AsyncStream<Update>.Iterator
        let makeCancellationError: @Sendable () -> MoyaError
        var isOver = false

        /// Returns the next value; `nil` after the one with the response.
        ///
        /// - Throws: ``MoyaError`` if the request fails; ``MoyaError/underlying(_:_:)`` with `URLError.cancelled` if
        ///   the reader's task is cancelled.
        public mutating func next() async throws(MoyaError) -> ProgressResponse? {
            guard !isOver else { return nil }
            guard let update = await updates.next() else {
                // The stream ends without a result only if the reader's task is cancelled.
                isOver = true
                throw makeCancellationError()
            }
            switch update {
            case .success(let progress): isOver = progress.completed
            case .failure: isOver = true
            }
            return try update.get()
        }
    }

    let start: @Sendable (AsyncStream<Update>.Continuation) -> any Cancellable
    /// Returns the error for a reader whose task is cancelled.
    let makeCancellationError: @Sendable () -> MoyaError

    /// Starts the request and creates an iterator over its values.
    public func makeAsyncIterator() -> Iterator {
        // A newer value replaces all older ones.
        let (updates, end) = AsyncStream.makeStream(of: Update.self, bufferingPolicy: .bufferingNewest(1))
        let request = start(end)
        end.onTermination = { _ in request.cancel() }
        return Iterator(updates: updates.makeAsyncIterator(), makeCancellationError: makeCancellationError)
    }
}

extension MoyaProvider {
    /// Returns a sequence that requests a target and reports its progress and response.
    ///
    /// Nothing is sent before the sequence is read.
    public func requestWithProgress(_ target: Target) -> ProgressSequence {
        ProgressSequence { [self] updates in
            requestUpdates(of: target, callbackQueue: callbackQueue ?? .global()) { update in
                updates.yield(update)
                guard case .success(let progress) = update, !progress.completed else { return updates.finish() }
            }
        } makeCancellationError: { [self] in
            cancellationError.describing(endpoint(target))
        }
    }
}

/// A value of a series of progress updates; the last one is a failure or has the response.
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
            if let progress = series.withLock({ $0.handleProgress(progress) }) { update(.success(progress)) }
        } completion: { result in
            series.withLock { $0.handleResult(result) }.forEach(update)
        }
    }
}

/// Combines the progress calls and the completion call of a request into one series of updates.
struct ProgressSeries: Sendable {
    private var progress: Progress?
    private var hasHeldBackProgress = false

    /// Returns the update for a progress call; `nil` if the call has the response.
    ///
    /// The response follows with the result, which plugins may have changed.
    mutating func handleProgress(_ news: ProgressResponse) -> ProgressResponse? {
        progress = news.progressObject ?? progress
        guard !news.completed else {
            hasHeldBackProgress = true
            return nil
        }
        return ProgressResponse(progress: progress)
    }

    /// Returns the updates for the result.
    ///
    /// If a progress call was held back, its progress precedes a failure.
    func handleResult(_ result: Result<Response, MoyaError>) -> [ProgressUpdate] {
        switch result {
        case .success(let response): [.success(ProgressResponse(progress: progress, response: response))]
        case .failure(let error) where hasHeldBackProgress:
            [.success(ProgressResponse(progress: progress)), .failure(error)]
        case .failure(let error): [.failure(error)]
        }
    }
}
