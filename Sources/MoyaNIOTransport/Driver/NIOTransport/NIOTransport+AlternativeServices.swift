#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore

// Exchanges at the alternatives of an origin (RFC 7838).
extension NIOTransport {
    private static let altUsed = HTTPField.Name("Alt-Used")

    /// Sends a request to the alternative of its origin, or to the origin if there is none or if the alternative fails before
    /// it has processed the request.
    ///
    /// A body that cannot be sent again goes to the origin.
    @inline(never)
    nonisolated(nonsending) func sendPreferringAlternative(
        _ request: TransportRequest,
        of alternatives: AlternativeServices
    ) async throws -> TransportResponse {
        guard let origin = Origin(request.url), origin.scheme == "https" else {
            return try await performExchange(of: request)
        }
        var request = request
        if request.isBodyRepeatable, let alternative = alternatives.alternative(for: origin),
            let pool = try poolManager.pool(for: request.url, at: alternative)
        {
            let start = ContinuousClock.now
            do {
                let response = try await sendToAlternative(request, at: alternative, on: pool)
                alternatives.record(response, from: origin)
                return response
            } catch let failure as UnusedAlternative {
                alternatives.markBroken(alternative, of: origin)
                if case .timedOut(let error) = failure { throw error }
                let time = ContinuousClock.now - start
                request.setTimeLeft(request.exchangeTimeout - time)
                if case .notConnected = failure { request.phaseTimeouts.countWait(time) }
            }
            try request.throwIfOverdue()
        }
        let response = try await performExchange(of: request)
        alternatives.record(response, from: origin)
        return response
    }

    /// Sends a request to an alternative.
    ///
    /// - Throws: An ``UnusedAlternative`` if the alternative is not to be used again soon.
    private nonisolated(nonsending) func sendToAlternative(
        _ request: TransportRequest,
        at alternative: Origin,
        on pool: ConnectionPool
    ) async throws -> TransportResponse {
        var request = request
        if let name = Self.altUsed { request.headers[name] = alternative.hostHeader }
        request.connectTimeout = request.connectTimeout(atAlternativeOf: pool)
        do {
            var response = try await performExchange(of: request, on: pool)
            // Misdirected Request (RFC 9110, section 15.5.20; RFC 7838, section 6).
            guard response.status == 421 else { return response }
            await response.dropBody()
            throw UnusedAlternative.refused
        } catch let error as URLError {
            if let unused = UnusedAlternative(error) { throw unused }
            throw error
        }
    }
}

/// The reason why an alternative is not used for some time.
private enum UnusedAlternative: Error {
    /// There was no connection in time. The request can be sent to the origin.
    case notConnected
    /// The alternative does not serve the request, or refuses all requests. The request can be sent to the origin.
    case refused
    /// The request has timed out after it was sent, or has no time left for the origin. The next request must not wait again.
    case timedOut(URLError)

    /// Creates the reason from the error of a request; `nil` if the alternative can be used again.
    init?(_ error: URLError) {
        switch error.userInfo[NSUnderlyingErrorKey] {
        case is AlternativeFailure: self = .notConnected
        case let error as RequestNotProcessedError where error.pace == .never: self = .refused
        default:
            guard error.code == .timedOut else { return nil }
            self = error.timeout?.kind == .connect ? .notConnected : .timedOut(error)
        }
    }
}

extension TransportRequest {
    /// Returns the maximum time for which the request waits while there is no connection to an alternative: half of its time, so that
    /// the other half is left for the origin.
    fileprivate func connectTimeout(atAlternativeOf pool: ConnectionPool) -> Duration {
        let poolTimeout = connectionPoolTimeout ?? pool.connector.settings.connectionPoolTimeout
        return min(exchangeTimeout, idleTimeout, connectTimeout ?? idleTimeout, poolTimeout ?? idleTimeout) / 2
    }
}

extension PhaseTimeouts {
    /// Subtracts a time for which the request has waited for a connection.
    fileprivate mutating func countWait(_ time: Duration) {
        connect = connect.map { $0 - time }
        pool = pool.map { $0 - time }
    }
}
#endif
