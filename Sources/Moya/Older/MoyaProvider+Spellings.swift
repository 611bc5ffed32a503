import Foundation

// Spellings of Moya 9 and older.
extension MoyaProvider {
    /// Requests a target; the callback queue was called a queue.
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

    /// The endpoint that says what the target says.
    @available(*, deprecated, renamed: "defaultEndpointMapping(for:)")
    @_disfavoredOverload
    @Sendable
    public final class func defaultEndpointMapping(_ target: Target) -> Endpoint { defaultEndpointMapping(for: target) }

    /// The endpoint's own request, or why there is none.
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
