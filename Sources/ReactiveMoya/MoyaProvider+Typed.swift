#if ReactiveSwift
import Foundation
import Moya
@preconcurrency import ReactiveSwift

extension Reactive where Base: MoyaProviderType, Base.Target: TypedTargetType {
    /// Returns a producer that requests a target and sends its output.
    ///
    ///     provider.reactive.requestOutput(GetUser(name: "ashfurrow"))
    ///         .startWithResult { result in … }
    ///
    /// Like ``request(_:callbackQueue:)`` it sends a request for each start.
    ///
    /// - Parameters:
    ///   - token: The target.
    ///   - callbackQueue: The queue on which the output is decoded and delivered; `nil` for the provider's.
    ///     Without either it is the main queue, and an immediate stub completes before `start` returns.
    /// - Returns: A producer of the output.
    public func requestOutput(
        _ token: Base.Target,
        callbackQueue: DispatchQueue? = nil
    ) -> SignalProducer<Base.Target.Output, MoyaError> {
        .performing { [base] in base.requestOutput(token, callbackQueue: callbackQueue, completion: $0) }
    }
}

extension Reactive where Base: MoyaProviderType, Base.Target == MultiTarget {
    /// Returns a producer that requests a typed target and sends its output.
    ///
    /// Plugins receive the `MultiTarget` that wraps the target. Like ``request(_:callbackQueue:)`` it sends a
    /// request for each start.
    ///
    /// - Parameters:
    ///   - token: The target.
    ///   - callbackQueue: The queue on which the output is decoded and delivered; `nil` for the provider's.
    ///     Without either it is the main queue, and an immediate stub completes before `start` returns.
    /// - Returns: A producer of the output.
    public func requestOutput<Typed: TypedTargetType>(
        _ token: Typed,
        callbackQueue: DispatchQueue? = nil
    ) -> SignalProducer<Typed.Output, MoyaError> {
        .performing { [base] in base.requestOutput(token, callbackQueue: callbackQueue, completion: $0) }
    }
}

extension SignalProducer where Value: Sendable, Error == MoyaError {
    /// Creates a producer that sends a request for each start, and cancels the request when disposed of.
    static func performing(
        _ start: @escaping (@escaping OutputCompletion<Value>) -> any Moya.Cancellable
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
