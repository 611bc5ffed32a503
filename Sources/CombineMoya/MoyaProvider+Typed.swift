#if canImport(Combine) || OpenCombine
import Foundation
import Moya

extension MoyaProvider where Target: TypedTargetType {
    /// Returns a publisher that requests a target and publishes its output.
    ///
    ///     provider.requestOutputPublisher(GetUser(name: "ashfurrow"))
    ///         .sink { completion in … } receiveValue: { user in … }
    ///         .store(in: &subscriptions)
    ///
    /// Like ``requestPublisher(_:callbackQueue:)`` it sends a request for each subscription.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - callbackQueue: The queue on which the output is decoded and delivered; `nil` for the provider's.
    ///     Without either it is the main queue, and an immediate stub completes before `sink` returns.
    /// - Returns: A publisher of the output.
    public func requestOutputPublisher(
        _ target: Target,
        callbackQueue: DispatchQueue? = nil
    ) -> AnyPublisher<Target.Output, MoyaError> {
        RequestPublisher<Target.Output>(queue: queue(or: callbackQueue)) { [self] update in
            requestOutput(target, callbackQueue: callbackQueue) { update(.init($0)) }
        }
        .eraseToAnyPublisher()
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Returns a publisher that requests a typed target and publishes its output.
    ///
    /// Plugins receive the `MultiTarget` that wraps the target. Like ``requestPublisher(_:callbackQueue:)`` it
    /// sends a request for each subscription.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - callbackQueue: The queue on which the output is decoded and delivered; `nil` for the provider's.
    ///     Without either it is the main queue, and an immediate stub completes before `sink` returns.
    /// - Returns: A publisher of the output.
    public func requestOutputPublisher<Typed: TypedTargetType>(
        _ target: Typed,
        callbackQueue: DispatchQueue? = nil
    ) -> AnyPublisher<Typed.Output, MoyaError> {
        RequestPublisher<Typed.Output>(queue: queue(or: callbackQueue)) { [self] update in
            requestOutput(target, callbackQueue: callbackQueue) { update(.init($0)) }
        }
        .eraseToAnyPublisher()
    }
}
#endif
