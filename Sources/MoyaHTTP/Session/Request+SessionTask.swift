import Foundation

extension Request {
    /// The properties of the `URLSessionTask` of a request that interceptors read.
    ///
    /// There is no such task: the properties describe the request's last attempt.
    public struct SessionTask: Sendable {
        let record: RequestRecord

        /// The request of the attempt, as adapters have made it, before any redirect.
        public var originalRequest: URLRequest? { record.originalRequest }
        /// The request of the last exchange, after all redirects.
        public var currentRequest: URLRequest? { record.currentRequest }
        /// The head of the last attempt's response, which is an `HTTPURLResponse`; `nil` if it has not arrived.
        public var response: URLResponse? { record.response?.makeHTTPURLResponse() }

        /// Ends the request, as ``Request/cancel()`` does.
        public func cancel() { record.cancel() }
    }

    /// The last attempt, with the names of a `URLSessionTask`; `nil` before the request is sent.
    ///
    /// A retrier finds the response in it, as in ``response``:
    ///
    ///     guard let response = request.task?.response as? HTTPURLResponse, response.statusCode == 401 else {
    ///         return completion(.doNotRetry)
    ///     }
    public var task: SessionTask? { record.originalRequest.map { _ in SessionTask(record: record) } }
}
