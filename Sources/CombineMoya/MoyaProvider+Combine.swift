#if canImport(Combine) || OpenCombine
    import Foundation
    import Moya

    extension MoyaProvider {
        /// Requests a target: one response and the end, or a failure.
        ///
        ///     provider.requestPublisher(.zen)
        ///         .mapString()
        ///         .sink { completion in … } receiveValue: { wisdom in … }
        ///         .store(in: &subscriptions)
        ///
        /// Nothing is sent before somebody subscribes and wants a value. Each subscription sends once, however often it
        /// asks for more, and keeps the provider until it ends. Cancelling it, or letting go of its `AnyCancellable`,
        /// cancels the exchange down to the socket.
        ///
        /// - Parameters:
        ///   - target: What to ask for.
        ///   - callbackQueue: Where the response arrives; wins over the provider's. Without one: the main queue, and an
        ///     immediate stub answers before `sink` returns.
        public func requestPublisher(
            _ target: Target,
            callbackQueue: DispatchQueue? = nil
        ) -> AnyPublisher<Response, MoyaError> {
            RequestPublisher<Response>(queue: queue(or: callbackQueue)) { [self] update in
                request(target, callbackQueue: callbackQueue, progress: nil) { update(.init($0)) }
            }
            .eraseToAnyPublisher()
        }

        /// Requests a target: how far it has come, each time there is news, at last with the response, and the end; or a
        /// failure.
        ///
        ///     provider.requestWithProgressPublisher(.upload(photo))
        ///         .sink { completion in … } receiveValue: { progress in
        ///             bar.fraction = progress.progress
        ///             if let response = progress.response { … }
        ///         }
        ///         .store(in: &subscriptions)
        ///
        /// It is as cold as ``requestPublisher(_:callbackQueue:)``. Values never go back. A subscriber that wants them
        /// later than they come misses values between, but never the last, which waits; a failure does not wait.
        ///
        /// - Parameters:
        ///   - target: What to ask for.
        ///   - callbackQueue: Where values arrive, those included that have waited; wins over the provider's. Without one:
        ///     the main queue, and an immediate stub answers before `sink` returns.
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

        /// Where the results of the network arrive.
        func queue(or callbackQueue: DispatchQueue?) -> DispatchQueue {
            callbackQueue ?? self.callbackQueue ?? .main
        }
    }
#endif
