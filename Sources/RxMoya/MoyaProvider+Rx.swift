#if RxSwift
    import Foundation
    import Moya
    @preconcurrency import RxSwift

    extension MoyaProvider: ReactiveCompatible {}

    extension Reactive where Base: MoyaProviderType {
        /// Requests a target: one response, or a failure.
        ///
        ///     provider.rx.request(.zen)
        ///         .mapString()
        ///         .subscribe(onSuccess: { wisdom in … }, onFailure: { error in … })
        ///         .disposed(by: bag)
        ///
        /// Nothing is sent before somebody subscribes. Each subscription sends once, and keeps the provider until it ends.
        /// Disposing of it cancels the exchange down to the socket. Errors are ``MoyaError``.
        ///
        /// - Parameters:
        ///   - token: What to ask for.
        ///   - callbackQueue: Where the response arrives; wins over the provider's. Without one: the main queue, and an
        ///     immediate stub answers before `subscribe` returns.
        public func request(_ token: Base.Target, callbackQueue: DispatchQueue? = nil) -> Single<Response> {
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
        ///     stub answers before `subscribe` returns.
        public func requestWithProgress(
            _ token: Base.Target,
            callbackQueue: DispatchQueue? = nil
        ) -> Observable<ProgressResponse> {
            Observable.create { [base] observer in
                let exchange = base.requestUpdates(of: token, callbackQueue: callbackQueue) { update in
                    switch update {
                    case .success(let progress):
                        observer.onNext(progress)
                        if progress.completed { observer.onCompleted() }
                    case .failure(let error):
                        observer.onError(error)
                    }
                }
                return Disposables.create { exchange.cancel() }
            }
        }
    }
#endif
