import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Changes requests before they are sent, and says whether they are sent again.
///
///     let session = Session(interceptor: RetryPolicy())
@preconcurrency
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

/// Several adapters and retriers as one.
///
/// Each adapter gets what the one before has made of the request. Retriers are asked in turn until one wants something.
public struct Interceptor: RequestInterceptor {
    /// Change requests, in this order.
    public let adapters: [any RequestAdapter]
    /// Are asked about repeating, in this order.
    public let retriers: [any RequestRetrier]

    /// Makes one of adapters and retriers; interceptors are both, and come last.
    public init(
        adapters: [any RequestAdapter] = [],
        retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) {
        self.adapters = adapters + interceptors
        self.retriers = retriers + interceptors
    }

    /// Has all adapters change the request.
    public func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        var request = urlRequest
        for adapter in adapters { request = try await adapter.adapt(request, using: state) }
        return request
    }

    /// Asks the retriers.
    public func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        for retrier in retriers {
            let result = await retrier.retry(attempt, for: session)
            guard case .doNotRetry = result else { return result }
        }
        return .doNotRetry
    }
}
