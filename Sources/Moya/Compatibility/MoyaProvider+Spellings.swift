import Foundation

// Spellings of Moya 9 and older.
extension MoyaProvider {
    /// Requests a target; `queue` is now `callbackQueue`.
    @available(*, deprecated, renamed: "request(_:callbackQueue:progress:completion:)")
    @preconcurrency
    @discardableResult
    public final func request(
        _ target: Target,
        queue: DispatchQueue?,
        progress: ProgressBlock? = .none,
        completion: @escaping Completion
    ) -> any Cancellable {
        request(target, callbackQueue: queue, progress: progress, completion: completion)
    }

    /// Returns the default endpoint of a target.
    @available(*, deprecated, renamed: "defaultEndpointMapping(for:)")
    @_disfavoredOverload
    @Sendable
    public final class func defaultEndpointMapping(_ target: Target) -> Endpoint { defaultEndpointMapping(for: target) }

    /// Passes the endpoint's own request, or the error, to the closure.
    @available(*, deprecated, renamed: "defaultRequestMapping(for:closure:)")
    @_disfavoredOverload
    @Sendable
    public final class func defaultRequestMapping(_ endpoint: Endpoint, closure: RequestResultClosure) {
        defaultRequestMapping(for: endpoint, closure: closure)
    }
}

extension StubBehavior {
    /// Now ``delayed(seconds:)``, with its label.
    @available(*, deprecated, renamed: "delayed(seconds:)")
    public static func delayed(_ seconds: TimeInterval) -> StubBehavior { .delayed(seconds: seconds) }
}
