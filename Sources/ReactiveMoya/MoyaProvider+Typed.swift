#if ReactiveSwift
    import Foundation
    import Moya
    @preconcurrency import ReactiveSwift

    extension Reactive where Base: MoyaProviderType, Base.Target: TypedTargetType {
        /// Requests a target: its answer and the end, or a failure.
        ///
        ///     provider.reactive.requestAnswer(GetUser(name: "ashfurrow"))
        ///         .startWithResult { result in … }
        ///
        /// It is as cold as ``request(_:callbackQueue:)``.
        ///
        /// - Parameters:
        ///   - token: What to ask for.
        ///   - callbackQueue: Where the answer arrives, and where it is decoded; wins over the provider's. Without one: the
        ///     main queue, and an immediate stub answers before `start` returns.
        public func requestAnswer(
            _ token: Base.Target,
            callbackQueue: DispatchQueue? = nil
        ) -> SignalProducer<Base.Target.Answer, MoyaError> {
            .exchange { [base] in base.requestAnswer(token, callbackQueue: callbackQueue, completion: $0) }
        }
    }

    extension Reactive where Base: MoyaProviderType, Base.Target == MultiTarget {
        /// Requests a typed target: its answer and the end, or a failure. Plugins see the `MultiTarget` around it.
        ///
        /// It is as cold as ``request(_:callbackQueue:)``.
        ///
        /// - Parameters:
        ///   - token: What to ask for.
        ///   - callbackQueue: Where the answer arrives, and where it is decoded; wins over the provider's. Without one: the
        ///     main queue, and an immediate stub answers before `start` returns.
        public func requestAnswer<Typed: TypedTargetType>(
            _ token: Typed,
            callbackQueue: DispatchQueue? = nil
        ) -> SignalProducer<Typed.Answer, MoyaError> {
            .exchange { [base] in base.requestAnswer(token, callbackQueue: callbackQueue, completion: $0) }
        }
    }

    extension SignalProducer where Value: Sendable, Error == MoyaError {
        /// An exchange for each start, which is cancelled with it.
        static func exchange(
            _ start: @escaping (@escaping AnswerCompletion<Value>) -> any Moya.Cancellable
        ) -> SignalProducer<Value, MoyaError> {
            SignalProducer { observer, lifetime in
                let exchange = start { result in
                    switch result {
                    case .success(let value):
                        observer.send(value: value)
                        observer.sendCompleted()
                    case .failure(let error):
                        observer.send(error: error)
                    }
                }
                lifetime.observeEnded { exchange.cancel() }
            }
        }
    }
#endif
