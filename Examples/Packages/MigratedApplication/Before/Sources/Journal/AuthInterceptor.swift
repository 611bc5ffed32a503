import Alamofire
import Foundation
import Moya

/// Adds the access token to requests, and refreshes it once for all requests that the server has refused.
final class AuthInterceptor: RequestInterceptor {
    private let store: TokenStore
    private let refresh: (String, @escaping (Result<Tokens, Error>) -> Void) -> Void
    private let lock = NSLock()
    private var waiting: [(RetryResult) -> Void] = []

    init(store: TokenStore, refresh: @escaping (String, @escaping (Result<Tokens, Error>) -> Void) -> Void) {
        self.store = store
        self.refresh = refresh
    }

    func adapt(
        _ urlRequest: URLRequest,
        for session: Alamofire.Session,
        completion: @escaping (Result<URLRequest, Error>) -> Void
    ) {
        var urlRequest = urlRequest
        if let tokens = store.tokens {
            urlRequest.headers.add(.authorization(bearerToken: tokens.accessToken))
        }
        completion(.success(urlRequest))
    }

    func retry(
        _ request: Alamofire.Request,
        for session: Alamofire.Session,
        dueTo error: Error,
        completion: @escaping (RetryResult) -> Void
    ) {
        guard request.response?.statusCode == 401, request.retryCount == 0, let tokens = store.tokens else {
            completion(.doNotRetry)
            return
        }
        lock.lock()
        waiting.append(completion)
        let isFirst = waiting.count == 1
        lock.unlock()
        guard isFirst else { return }
        refresh(tokens.refreshToken) { [weak self] result in
            self?.finish(result)
        }
    }

    private func finish(_ result: Result<Tokens, Error>) {
        lock.lock()
        let completions = waiting
        waiting = []
        lock.unlock()
        switch result {
        case .success(let tokens):
            store.tokens = tokens
            completions.forEach { $0(.retry) }
        case .failure(let error):
            store.tokens = nil
            completions.forEach { $0(.doNotRetryWithError(error)) }
        }
    }
}
