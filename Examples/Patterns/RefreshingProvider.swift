import Foundation
import Moya

/// A provider that refreshes an expired session of the user before it sends a request.
///
/// The example shows how to override ``MoyaProvider/request(_:callbackQueue:progress:completion:)``, which all other methods call.
/// Cancelling stops the refresh or the request, whichever is in progress. (``AuthenticationInterceptor`` refreshes without a subclass,
/// and once for concurrent requests.)
public final class RefreshingProvider<Target: TargetType>: MoyaProvider<Target> {
    /// Refreshes the session, and calls `done` with the result.
    public typealias Refresh = (_ done: @escaping (Result<Void, MoyaError>) -> Void) -> Cancellable

    private let isSessionOver: () -> Bool
    private let refresh: Refresh

    /// Creates a provider.
    public init(
        isSessionOver: @escaping () -> Bool,
        refresh: @escaping Refresh,
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        session: Session = MoyaProvider<Target>.defaultAlamofireSession(),
        plugins: [PluginType] = []
    ) {
        self.isSessionOver = isSessionOver
        self.refresh = refresh
        super.init(stubClosure: stubClosure, session: session, plugins: plugins)
    }

    @discardableResult
    override public func request(
        _ target: Target,
        callbackQueue: DispatchQueue? = .none,
        progress: ProgressBlock? = .none,
        completion: @escaping Completion
    ) -> Cancellable {
        guard isSessionOver() else {
            return super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion)
        }
        let current = CurrentRequest()
        current.replace {
            refresh { result in
                switch result {
                case .success:
                    current.replace {
                        super.request(
                            target,
                            callbackQueue: callbackQueue,
                            progress: progress,
                            completion: completion
                        )
                    }
                case .failure(let error):
                    completion(.failure(error))
                }
            }
        }
        return current
    }
}
