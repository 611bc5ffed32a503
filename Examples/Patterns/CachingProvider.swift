import Foundation
import Moya

/// A provider composed of another: it remembers what has been answered, and asks the other for the rest.
///
/// It shows the composing pattern: ``MoyaProviderType`` is all that an application's code, and the reactive doors, need of
/// a provider, so whatever conforms to it can stand in front of a ``MoyaProvider``.
public final class CachingProvider<Target: TargetType & Hashable>: MoyaProviderType {
    private let provider: MoyaProvider<Target>
    private let lock = NSLock()
    private var answers: [Target: Response] = [:]

    /// Puts a memory in front of a provider.
    public init(_ provider: MoyaProvider<Target>) {
        self.provider = provider
    }

    /// Answers from memory at once, and otherwise asks. Only successes are remembered.
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
