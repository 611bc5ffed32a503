import Alamofire
import Foundation

/// An interceptor that adds the user's token to requests, and refreshes it when the server answers 401.
///
/// Only one refresh runs at a time; the requests that fail in the meantime wait for it.
final class TokenInterceptor: RequestInterceptor {
    typealias Refresh = (_ done: @escaping (Result<String, Error>) -> Void) -> Void

    private let refresh: Refresh
    private let lock = NSLock()
    private var token: String
    private var waiting: [(RetryResult) -> Void] = []

    init(token: String, refresh: @escaping Refresh) {
        self.token = token
        self.refresh = refresh
    }

    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping (Result<URLRequest, Error>) -> Void
    ) {
        lock.lock()
        defer { lock.unlock() }
        var request = urlRequest
        request.headers.update(.authorization(bearerToken: token))
        completion(.success(request))
    }

    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: Error,
        completion: @escaping (RetryResult) -> Void
    ) {
        guard let response = request.task?.response as? HTTPURLResponse, response.statusCode == 401,
            request.retryCount == 0
        else {
            completion(.doNotRetryWithError(error))
            return
        }
        lock.lock()
        // Another request may have refreshed the token after this one was sent.
        if request.request?.headers["Authorization"] != "Bearer \(token)" {
            lock.unlock()
            completion(.retry)
            return
        }
        waiting.append(completion)
        let isFirst = waiting.count == 1
        lock.unlock()
        if isFirst { refresh { self.refreshed($0) } }
    }

    private func refreshed(_ result: Result<String, Error>) {
        lock.lock()
        let completions = waiting
        waiting = []
        let retryResult: RetryResult
        switch result {
        case .success(let token):
            self.token = token
            retryResult = .retry
        case .failure(let error):
            retryResult = .doNotRetryWithError(error)
        }
        lock.unlock()
        completions.forEach { $0(retryResult) }
    }
}
