import Foundation

/// The interface of a provider that the reactive bindings use.
public protocol MoyaProviderType: AnyObject {
    /// The type of the targets.
    associatedtype Target: TargetType

    /// Requests a target.
    ///
    /// The completion is called exactly once.
    @preconcurrency
    func request(
        _ target: Target,
        callbackQueue: DispatchQueue?,
        progress: Moya.ProgressBlock?,
        completion: @escaping Moya.Completion
    ) -> any Cancellable
}
