import Foundation
import Moya

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fails some exchanges on purpose, to test how an application handles failures.
///
///     Session(interceptor: RetryPolicy(), exchangeMiddleware: [FaultInjection(.status(503), when: { _ in .random() })])
///
/// As `exchangeMiddleware` it is around each exchange: the session treats an injected fault like a fault of the server, and retries
/// and redirects work as usual.
public struct FaultInjection: HTTPMiddleware {
    /// The fault that an exchange gets.
    public enum Fault: Sendable {
        /// The middleware returns a response with this status and no body.
        case status(Int)
        /// The middleware throws the error of a lost connection.
        case connectionLost
        /// The middleware waits before the exchange.
        case delay(Duration)
    }

    private let fault: Fault
    private let isFaulty: @Sendable (TransportRequest) -> Bool

    /// Creates a middleware that injects the fault into the exchanges for which a function returns true.
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
