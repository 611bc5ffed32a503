import Foundation
import Moya
import Testing

@Suite("RequestInterceptor has the interface of the contract's appendix")
struct RequestInterceptorTests {
    /// A class of an application that implements the original's functions with completions.
    final class Signer: RequestInterceptor, @unchecked Sendable {
        func adapt(
            _ urlRequest: URLRequest,
            for session: Session,
            completion: @escaping (Result<URLRequest, Error>) -> Void
        ) {
            var request = urlRequest
            request.setValue("s", forHTTPHeaderField: "Signature")
            completion(.success(request))
        }

        func retry(
            _ request: Request,
            for session: Session,
            dueTo error: Error,
            completion: @escaping (RetryResult) -> Void
        ) {
            completion(error is ShopError ? .retryWithDelay(1) : .doNotRetryWithError(error))
        }
    }

    final class StateAdapter: RequestAdapter {
        func adapt(
            _ urlRequest: URLRequest,
            using state: RequestAdapterState,
            completion: @escaping (Result<URLRequest, Error>) -> Void
        ) {
            completion(.failure(ShopError()))
        }
    }

    final class Nothing: RequestInterceptor {}

    private func adapted(_ adapter: RequestAdapter) throws -> URLRequest {
        let session = Session.default
        let box = ResultBox<URLRequest>()
        adapter.adapt(Shop.request, using: RequestAdapterState(session: session)) { box.set($0) }
        return try box.get()
    }

    @Test("an adapter implements adapt with a session, adapt with a state, or neither function")
    func adapters() throws {
        #expect(try adapted(Signer()).value(forHTTPHeaderField: "Signature") == "s")
        #expect(throws: ShopError()) { try adapted(StateAdapter()) }
        #expect(try adapted(Nothing()) == Shop.request)
    }

    @Test("a retrier returns one of the four cases of RetryResult")
    func retriers() {
        func name(_ result: RetryResult) -> String {
            switch result {
            case .retry: return "retry"
            case .retryWithDelay(let seconds): return "retryWithDelay \(seconds)"
            case .doNotRetry: return "doNotRetry"
            case .doNotRetryWithError(let error): return "doNotRetryWithError \(error)"
            }
        }
        let session = Session.default
        var names: [String] = [name(.retry)]
        let retriers: [RequestRetrier] = [Signer(), Nothing()]
        for retrier in retriers {
            retrier.retry(session.request(Shop.request), for: session, dueTo: ShopError()) { names.append(name($0)) }
        }
        #expect(names == ["retry", "retryWithDelay 1.0", "doNotRetry"])
    }
}

/// Stores the argument of a completion.
final class ResultBox<Value>: @unchecked Sendable {
    private var result: Result<Value, Error>?
    func set(_ result: Result<Value, Error>) { self.result = result }
    func get() throws -> Value { return try (result ?? .failure(CancellationError())).get() }
}
