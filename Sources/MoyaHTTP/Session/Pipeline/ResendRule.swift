import Foundation

/// The reason why a request is sent again without a retry.
public enum ResendReason: Equatable, Sendable {
    /// The connection was closed before any of the response arrived, and it had been used before, or the server requires HTTP/1.1
    /// (HTTP_1_1_REQUIRED).
    ///
    /// The server may have closed it at the moment it was used again. Only requests with an idempotent method or an
    /// idempotency key are sent again, once, and not on an idle HTTP/1.1 connection (RFC 9112, section 9.3.1).
    case connectionLost
    /// The server has not processed the request (RFC 9113, section 8.7). A request with any method is sent again.
    case notProcessed
}

/// Decides whether a request that has failed is sent again without a retry, and when.
struct ResendRule: Sendable {
    /// The maximum number of times that a request is sent again because the server has not processed it.
    static let maximumCount = 100
    /// The maximum time from the first failure to the last resend; a shorter idle timeout of the request replaces it.
    static let maximumTime = Duration.seconds(60)

    private let time: Duration
    private let isBodyRepeatable: Bool
    private let canBeResentAfterLoss: Bool
    private var count = 0
    private var wasLost = false

    /// Creates the rule of a request; `usesIdempotencyKeys` is whether the application has turned them on.
    init(for request: TransportRequest, usesIdempotencyKeys: Bool = false) {
        time = min(request.idleTimeout, Self.maximumTime)
        isBodyRepeatable = request.isBodyRepeatable
        canBeResentAfterLoss = request.canBeResent || usesIdempotencyKeys && request.headers.hasIdempotencyKey
    }

    /// Decides whether a request that has failed is sent again.
    ///
    /// `elapsed` is the time since it failed first.
    mutating func decide(_ error: any Error, elapsed: Duration) -> (reason: ResendReason, delay: Duration)? {
        guard isBodyRepeatable, let error = error as? URLError else { return nil }
        if let refusal = error.userInfo[NSUnderlyingErrorKey] as? RequestNotProcessedError {
            guard refusal.pace != .never, count < Self.maximumCount, elapsed < time else { return nil }
            count += 1
            return (.notProcessed, refusal.pace == .byTransport ? .zero : Self.delay(beforeResend: count))
        }
        guard error.allowsResend, canBeResentAfterLoss, !wasLost else { return nil }
        wasLost = true
        return (.connectionLost, .zero)
    }

    // The first resends are immediate, because the server may only be closing its connection. Later ones are delayed.
    private static func delay(beforeResend count: Int) -> Duration {
        count <= 4 ? .zero : min(.milliseconds(1 << min(count - 4, 8)), .milliseconds(250))
    }
}

extension URLError {
    /// Whether the request may be sent again if it is idempotent: its connection was lost, and had been used before, so that the
    /// server may have closed it just before this request, or the server requires HTTP/1.1.
    var allowsResend: Bool {
        guard let cause = userInfo[NSUnderlyingErrorKey] as? any Error else { return false }
        if let cause = cause as? any ConnectionLoss { return cause.allowsResend }
        #if NIO && !canImport(Darwin)
        return cause.isEndOfConnection
        #else
        return false
        #endif
    }
}
