#if RxSwift
    import Foundation
    import Moya
    @preconcurrency import RxSwift

    extension Reactive where Base: MoyaProviderType, Base.Target: TypedTargetType {
        /// Requests a target: its answer, or a failure.
        ///
        ///     provider.rx.requestAnswer(GetUser(name: "ashfurrow"))
        ///         .subscribe(onSuccess: { user in … }, onFailure: { error in … })
        ///         .disposed(by: bag)
        ///
        /// It is as cold as ``request(_:callbackQueue:)``. Errors are `MoyaError`.
        ///
        /// - Parameters:
        ///   - token: What to ask for.
        ///   - callbackQueue: Where the answer arrives, and where it is decoded; wins over the provider's. Without one: the
        ///     main queue, and an immediate stub answers before `subscribe` returns.
        public func requestAnswer(
            _ token: Base.Target,
            callbackQueue: DispatchQueue? = nil
        ) -> Single<Base.Target.Answer> {
            .exchange { [base] in base.requestAnswer(token, callbackQueue: callbackQueue, completion: $0) }
        }
    }

    extension Reactive where Base: MoyaProviderType, Base.Target == MultiTarget {
        /// Requests a typed target: its answer, or a failure. Plugins see the `MultiTarget` around it.
        ///
        /// It is as cold as ``request(_:callbackQueue:)``. Errors are `MoyaError`.
        ///
        /// - Parameters:
        ///   - token: What to ask for.
        ///   - callbackQueue: Where the answer arrives, and where it is decoded; wins over the provider's. Without one: the
        ///     main queue, and an immediate stub answers before `subscribe` returns.
        public func requestAnswer<Typed: TypedTargetType>(
            _ token: Typed,
            callbackQueue: DispatchQueue? = nil
        ) -> Single<Typed.Answer> {
            .exchange { [base] in base.requestAnswer(token, callbackQueue: callbackQueue, completion: $0) }
        }
    }

    extension PrimitiveSequence where Trait == SingleTrait, Element: Sendable {
        /// An exchange for each subscription, which is cancelled with it.
        static func exchange(
            _ start: @escaping (@escaping AnswerCompletion<Element>) -> any Moya.Cancellable
        ) -> Single<Element> {
            Observable.create { observer in
                let exchange = start { result in
                    switch result {
                    case .success(let value):
                        observer.onNext(value)
                        observer.onCompleted()
                    case .failure(let error):
                        observer.onError(error)
                    }
                }
                return Disposables.create { exchange.cancel() }
            }
            .asSingle()
        }
    }
#endif
