import Foundation
import Moya

/// A provider that wraps another provider and caches its responses.
///
/// The example shows composition: application code and the reactive modules require only ``MoyaProviderType``, so any conforming type
/// can wrap a ``MoyaProvider``.
public final class CachingProvider<Target: TargetType & Hashable>: MoyaProviderType {
    private let provider: MoyaProvider<Target>
    private let lock = NSLock()
    private var answers: [Target: Response] = [:]

    /// Creates a provider with an empty cache.
    public init(_ provider: MoyaProvider<Target>) {
        self.provider = provider
    }

    /// Responds from the cache immediately, or sends the request; only successes are cached.
    @discardableResult
    public func request(
        _ target: Target,
        callbackQueue: DispatchQueue?,
        progress: ProgressBlock?,
        completion: @escaping Completion
    ) -> Cancellable {
        lock.lock()
        let answer = answers[target]
        lock.unlock()
        if let answer = answer {
            completion(.success(answer))
            return CancellableToken {}
        }
        return provider.request(target, callbackQueue: callbackQueue, progress: progress) { result in
            if case .success(let response) = result, (200..<300).contains(response.statusCode) {
                self.lock.lock()
                self.answers[target] = response
                self.lock.unlock()
            }
            completion(result)
        }
    }
}
