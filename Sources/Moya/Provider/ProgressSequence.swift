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
