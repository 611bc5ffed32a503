import Foundation

/// A type that modifies requests before they are sent, and decides whether they are retried.
///
///     let session = Session(interceptor: RetryPolicy())
@preconcurrency
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

/// An interceptor that combines several adapters and retriers.
///
/// Each adapter gets the request that the previous one returned. Retriers are called in order until one returns
/// something other than `doNotRetry`.
public struct Interceptor: RequestInterceptor {
    /// The adapters, in the order in which they are called.
    public let adapters: [any RequestAdapter]
    /// The retriers, in the order in which they are called.
    public let retriers: [any RequestRetrier]

    /// Creates an interceptor.
    ///
    /// The `interceptors` are both adapters and retriers, and are called last.
    public init(
        adapters: [any RequestAdapter] = [],
        retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) {
        self.adapters = adapters + interceptors
        self.retriers = retriers + interceptors
    }

    /// Calls all adapters.
    public func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        var request = urlRequest
        for adapter in adapters {
            let earlier = request.allHTTPHeaderFields
            request = try await adapter.adapt(request, using: state)
            request.removeSupersededHeaders(after: { earlier })
        }
        return request
    }

    /// Calls the retriers until one decides.
    public func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        for retrier in retriers {
            let result = await retrier.retry(attempt, for: session)
            guard case .doNotRetry = result else { return result }
        }
        return .doNotRetry
    }
}

/// An interceptor whose functions return without a wait, so that a deadline is enough to limit the time of its requests:
/// ``DeadlineRule``.
package protocol PromptInterceptor: RequestInterceptor {}

/// An interceptor that changes no request, and that decides about most responses by their status alone.
protocol StatusRetrier: RequestInterceptor {
    /// Returns whether a response with this status may be retried; other responses are final.
    func canRetry(status: Int) -> Bool

    /// Counts a final response, as ``RequestRetrier/retry(_:for:)`` would.
    func countFinalResponse(status: Int, of record: RequestRecord)
}
