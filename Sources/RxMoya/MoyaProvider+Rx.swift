#if RxSwift
import Foundation
import Moya
@preconcurrency import RxSwift

extension MoyaProvider: ReactiveCompatible {}

extension Reactive where Base: MoyaProviderType {
    /// Returns a single that requests a target and emits its response.
    ///
    ///     provider.rx.request(.zen)
    ///         .mapString()
    ///         .subscribe(onSuccess: { wisdom in … }, onFailure: { error in … })
    ///         .disposed(by: bag)
    ///
    /// The request is sent on subscription. Each subscription sends one request, and retains the provider until
    /// it ends. Disposing of it cancels the exchange down to the socket. Errors are ``MoyaError``.
    ///
    /// - Parameters:
    ///   - token: The target.
    ///   - callbackQueue: The queue of the response; `nil` for the provider's. Without either it is the main
    ///     queue, and an immediate stub completes before `subscribe` returns.
    /// - Returns: A single of the response.
    public func request(_ token: Base.Target, callbackQueue: DispatchQueue? = nil) -> Single<Response> {
        .performing { [base] in base.request(token, callbackQueue: callbackQueue, progress: nil, completion: $0) }
    }

    /// Returns an observable that requests a target and emits its progress and finally its response.
    ///
    /// Like ``request(_:callbackQueue:)`` it sends a request for each subscription. Progress never decreases.
    ///
    /// - Parameters:
    ///   - token: The target.
    ///   - callbackQueue: The queue of all values; `nil` for the provider's. Without either it is the main queue,
    ///     and an immediate stub completes before `subscribe` returns.
    /// - Returns: An observable of progress.
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
