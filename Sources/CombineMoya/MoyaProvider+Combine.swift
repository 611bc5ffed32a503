#if canImport(Combine) || OpenCombine
import Foundation
import Moya

extension MoyaProvider {
    /// Returns a publisher that requests a target and publishes its response.
    ///
    ///     provider.requestPublisher(.zen)
    ///         .mapString()
    ///         .sink { completion in … } receiveValue: { wisdom in … }
    ///         .store(in: &subscriptions)
    ///
    /// The request is sent when a subscriber requests a value. Each subscription sends one request, regardless of
    /// its demand, and retains the provider until it ends. Cancelling it, or releasing its `AnyCancellable`,
    /// cancels the exchange down to the socket.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - callbackQueue: The queue of the response; `nil` for the provider's. Without either it is the main
    ///     queue, and an immediate stub completes before `sink` returns.
    /// - Returns: A publisher of the response.
    public func requestPublisher(
        _ target: Target,
        callbackQueue: DispatchQueue? = nil
    ) -> AnyPublisher<Response, MoyaError> {
        RequestPublisher<Response>(queue: queue(or: callbackQueue)) { [self] update in
            request(target, callbackQueue: callbackQueue, progress: nil) { update(.init($0)) }
        }
        .eraseToAnyPublisher()
    }

    /// Returns a publisher that requests a target and publishes its progress and finally its response.
    ///
    ///     provider.requestWithProgressPublisher(.upload(photo))
    ///         .sink { completion in … } receiveValue: { progress in
    ///             bar.fraction = progress.progress
    ///             if let response = progress.response { … }
    ///         }
    ///         .store(in: &subscriptions)
    ///
    /// Like ``requestPublisher(_:callbackQueue:)`` it sends a request for each subscription. Progress never
    /// decreases. A subscriber with insufficient demand misses intermediate values, but never the last one, which
    /// is buffered; failures are delivered without demand.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - callbackQueue: The queue of all values, including buffered ones; `nil` for the provider's. Without
    ///     either it is the main queue, and an immediate stub completes before `sink` returns.
    /// - Returns: A publisher of progress.
    public func requestWithProgressPublisher(
        _ target: Target,
        callbackQueue: DispatchQueue? = nil
    ) -> AnyPublisher<ProgressResponse, MoyaError> {
        RequestPublisher<ProgressResponse>(queue: queue(or: callbackQueue)) { [self] update in
            requestUpdates(of: target, callbackQueue: callbackQueue) { result in
                switch result {
                case .success(let progress): update(progress.completed ? .last(progress) : .value(progress))
                case .failure(let error): update(.failure(error))
                }
            }
        }
        .eraseToAnyPublisher()
    }

    /// Returns the queue on which results of the network are delivered.
    func queue(or callbackQueue: DispatchQueue?) -> DispatchQueue {
        callbackQueue ?? self.callbackQueue ?? .main
    }
}
#endif
