#if RxSwift
import Foundation
import Moya
@preconcurrency import RxSwift

extension Reactive where Base: MoyaProviderType, Base.Target: TypedTargetType {
    /// Returns a single that requests a target and emits its output.
    ///
    ///     provider.rx.requestOutput(GetUser(name: "ashfurrow"))
    ///         .subscribe(onSuccess: { user in … }, onFailure: { error in … })
    ///         .disposed(by: bag)
    ///
    /// Like ``request(_:callbackQueue:)`` it sends a request for each subscription. Errors are `MoyaError`.
    ///
    /// - Parameters:
    ///   - token: The target.
    ///   - callbackQueue: The queue on which the output is decoded and delivered; `nil` for the provider's.
    ///     Without either it is the main queue, and an immediate stub completes before `subscribe` returns.
    /// - Returns: A single of the output.
    public func requestOutput(
        _ token: Base.Target,
        callbackQueue: DispatchQueue? = nil
    ) -> Single<Base.Target.Output> {
        .performing { [base] in base.requestOutput(token, callbackQueue: callbackQueue, completion: $0) }
    }
}

extension Reactive where Base: MoyaProviderType, Base.Target == MultiTarget {
    /// Returns a single that requests a typed target and emits its output.
    ///
    /// Plugins receive the `MultiTarget` that wraps the target. Like ``request(_:callbackQueue:)`` it sends a
    /// request for each subscription. Errors are `MoyaError`.
    ///
    /// - Parameters:
    ///   - token: The target.
    ///   - callbackQueue: The queue on which the output is decoded and delivered; `nil` for the provider's.
    ///     Without either it is the main queue, and an immediate stub completes before `subscribe` returns.
    /// - Returns: A single of the output.
    public func requestOutput<Typed: TypedTargetType>(
        _ token: Typed,
        callbackQueue: DispatchQueue? = nil
    ) -> Single<Typed.Output> {
        .performing { [base] in base.requestOutput(token, callbackQueue: callbackQueue, completion: $0) }
    }
}

extension PrimitiveSequence where Trait == SingleTrait, Element: Sendable {
    /// Creates a single that sends a request for each subscription, and cancels the request when disposed of.
    static func performing(
        _ start: @escaping (@escaping OutputCompletion<Element>) -> any Moya.Cancellable
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
