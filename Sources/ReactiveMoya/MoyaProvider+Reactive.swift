#if ReactiveSwift
import Foundation
import Moya
@preconcurrency import ReactiveSwift

extension MoyaProvider: ReactiveExtensionsProvider {}

extension Reactive where Base: MoyaProviderType {
    /// Returns a producer that requests a target and sends its response.
    ///
    ///     provider.reactive.request(.zen)
    ///         .mapString()
    ///         .startWithResult { result in … }
    ///
    /// The request is sent when the producer is started. Each start sends one request, and retains the provider
    /// until it ends. Disposing of it cancels the exchange down to the socket.
    ///
    /// - Parameters:
    ///   - token: The target.
    ///   - callbackQueue: The queue of the response; `nil` for the provider's. Without either it is the main
    ///     queue, and an immediate stub completes before `start` returns.
    /// - Returns: A producer of the response.
    public func request(
        _ token: Base.Target,
        callbackQueue: DispatchQueue? = nil
    ) -> SignalProducer<Response, MoyaError> {
        .performing { [base] in base.request(token, callbackQueue: callbackQueue, progress: nil, completion: $0) }
    }

    /// Returns a producer that requests a target and sends its progress and finally its response.
    ///
    /// Like ``request(_:callbackQueue:)`` it sends a request for each start. Progress never decreases.
    ///
    /// - Parameters:
    ///   - token: The target.
    ///   - callbackQueue: The queue of all values; `nil` for the provider's. Without either it is the main queue,
    ///     and an immediate stub completes before `start` returns.
    /// - Returns: A producer of progress.
    public func requestWithProgress(
        _ token: Base.Target,
        callbackQueue: DispatchQueue? = nil
    ) -> SignalProducer<ProgressResponse, MoyaError> {
        SignalProducer { [base] observer, lifetime in
            let exchange = base.requestUpdates(of: token, callbackQueue: callbackQueue) { update in
                switch update {
                case .success(let progress):
                    observer.send(value: progress)
                    if progress.completed { observer.sendCompleted() }
                case .failure(let error):
                    observer.send(error: error)
                }
            }
            lifetime.observeEnded { exchange.cancel() }
        }
    }
}
#endif
