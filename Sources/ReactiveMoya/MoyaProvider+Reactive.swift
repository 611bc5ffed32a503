#if ReactiveSwift
    import Foundation
    import Moya
    @preconcurrency import ReactiveSwift

    extension MoyaProvider: ReactiveExtensionsProvider {}

    extension Reactive where Base: MoyaProviderType {
        /// Requests a target: one response and the end, or a failure.
        ///
        ///     provider.reactive.request(.zen)
        ///         .mapString()
        ///         .startWithResult { result in … }
        ///
        /// Nothing is sent before the producer is started. Each start sends once, and keeps the provider until it ends.
        /// Disposing of it cancels the exchange down to the socket.
        ///
        /// - Parameters:
        ///   - token: What to ask for.
        ///   - callbackQueue: Where the response arrives; wins over the provider's. Without one: the main queue, and an
        ///     immediate stub answers before `start` returns.
        public func request(
            _ token: Base.Target,
            callbackQueue: DispatchQueue? = nil
        ) -> SignalProducer<Response, MoyaError> {
            .exchange { [base] in base.request(token, callbackQueue: callbackQueue, progress: nil, completion: $0) }
        }

        /// Requests a target: how far it has come, each time there is news, at last with the response, and the end; or a
        /// failure.
        ///
        /// It is as cold as ``request(_:callbackQueue:)``. Values never go back.
        ///
        /// - Parameters:
        ///   - token: What to ask for.
        ///   - callbackQueue: Where values arrive; wins over the provider's. Without one: the main queue, and an immediate
        ///     stub answers before `start` returns.
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
