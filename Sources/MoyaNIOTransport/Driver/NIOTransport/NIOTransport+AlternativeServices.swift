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
            let start = NIODeadline.now()
            do {
                let response = try await sendToAlternative(request, at: alternative, on: pool)
                alternatives.record(response, from: origin)
                return response
            } catch let failure as UnusedAlternative {
                alternatives.markBroken(alternative, of: origin)
                if let error = failure.error { throw error }
            }
            request.setTimeLeft(request.totalTimeout - .nanoseconds((NIODeadline.now() - start).nanoseconds))
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
        do {
            var response = try await performExchange(of: request, on: pool)
            // Misdirected Request (RFC 9110, section 15.5.20; RFC 7838, section 6).
            guard response.status == 421 else { return response }
            await response.dropBody()
            throw UnusedAlternative(error: nil)
        } catch let error as URLError {
            if error.isFromUnusableAlternative { throw UnusedAlternative(error: nil) }
            // There is no time left for the origin, but the next request must not wait for the alternative again.
            if error.code == .timedOut { throw UnusedAlternative(error: error) }
            throw error
        }
    }
}

/// A failure of an alternative, with the error of its request; without an error, the request can be sent to the origin.
private struct UnusedAlternative: Error {
    let error: URLError?
}

extension URLError {
    /// Whether there is no connection to the alternative, or the alternative refuses all requests.
    fileprivate var isFromUnusableAlternative: Bool {
        switch userInfo[NSUnderlyingErrorKey] {
        case is AlternativeFailure: true
        case let error as RequestNotProcessedError: error.pace == .never
        default: false
        }
    }
}
#endif
