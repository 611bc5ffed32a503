#if canImport(Combine) || OpenCombine
    import Foundation
    import Moya

    extension MoyaProvider where Target: TypedTargetType {
        /// Requests a target: its answer and the end, or a failure.
        ///
        ///     provider.requestAnswerPublisher(GetUser(name: "ashfurrow"))
        ///         .sink { completion in … } receiveValue: { user in … }
        ///         .store(in: &subscriptions)
        ///
        /// It is as cold as ``requestPublisher(_:callbackQueue:)``.
        ///
        /// - Parameters:
        ///   - target: What to ask for.
        ///   - callbackQueue: Where the answer arrives, and where it is decoded; wins over the provider's. Without one: the
        ///     main queue, and an immediate stub answers before `sink` returns.
        public func requestAnswerPublisher(
            _ target: Target,
            callbackQueue: DispatchQueue? = nil
        ) -> AnyPublisher<Target.Answer, MoyaError> {
            RequestPublisher<Target.Answer>(queue: queue(or: callbackQueue)) { [self] update in
                requestAnswer(target, callbackQueue: callbackQueue) { update(.init($0)) }
            }
            .eraseToAnyPublisher()
        }
    }

    extension MoyaProvider where Target == MultiTarget {
        /// Requests a typed target: its answer and the end, or a failure. Plugins see the `MultiTarget` around it.
        ///
        /// It is as cold as ``requestPublisher(_:callbackQueue:)``.
        ///
        /// - Parameters:
        ///   - target: What to ask for.
        ///   - callbackQueue: Where the answer arrives, and where it is decoded; wins over the provider's. Without one: the
        ///     main queue, and an immediate stub answers before `sink` returns.
        public func requestAnswerPublisher<Typed: TypedTargetType>(
            _ target: Typed,
            callbackQueue: DispatchQueue? = nil
        ) -> AnyPublisher<Typed.Answer, MoyaError> {
            RequestPublisher<Typed.Answer>(queue: queue(or: callbackQueue)) { [self] update in
                requestAnswer(target, callbackQueue: callbackQueue) { update(.init($0)) }
            }
            .eraseToAnyPublisher()
        }
    }
#endif
