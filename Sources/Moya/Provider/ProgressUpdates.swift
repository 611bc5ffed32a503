import Foundation

/// A value of a series of progress; the last one is a failure or has the response.
package typealias ProgressUpdate = Result<ProgressResponse, MoyaError>

extension MoyaProviderType {
    /// Requests a target, and gives progress and result as one series, for doors that have no other call for the result.
    ///
    /// - Parameter update: Called in order, where `request` would call.
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
