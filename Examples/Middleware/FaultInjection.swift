import Foundation
import Moya

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fails some exchanges on purpose, to see how an application copes.
///
///     Session(interceptor: RetryPolicy(), exchangeMiddleware: [FaultInjection(.status(503), when: { _ in .random() })])
///
/// Around the exchanges the session takes an injected fault for the server's: retries and redirects work as usual.
public struct FaultInjection: HTTPMiddleware {
    /// What happens instead of an exchange.
    public enum Fault: Sendable {
        /// A response with this status and no body.
        case status(Int)
        /// The connection is lost.
        case connectionLost
        /// The exchange takes longer.
        case delay(Duration)
    }

    private let fault: Fault
    private let isFaulty: @Sendable (TransportRequest) -> Bool

    /// Creates a middleware that replaces the exchanges for which a function returns true.
    public init(_ fault: Fault, when isFaulty: @escaping @Sendable (TransportRequest) -> Bool) {
        self.fault = fault
        self.isFaulty = isFaulty
    }

    /// Handles a request.
    public func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> TransportResponse {
        guard isFaulty(request) else { return try await next(request) }
        switch fault {
        case .status(let status): return TransportResponse(status: status)
        case .connectionLost: throw URLError(.networkConnectionLost)
        case .delay(let duration):
            try await Task<Never, Never>.sleep(for: duration)
            return try await next(request)
        }
    }
}
