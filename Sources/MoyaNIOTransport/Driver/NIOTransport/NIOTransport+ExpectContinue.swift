#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes

// The exchange of a request that expects `100 (Continue)`, which may need a second one.
extension NIOTransport {
    /// Sends a request with an expectation, and sends it again without one, once, if the server refuses that (417).
    ///
    /// The body of the response counts among the running requests.
    ///
    /// - Throws: `URLError`, or the ``RequestBodyError`` of the body.
    @inline(never)
    nonisolated(nonsending) func sendExpectingContinue(
        _ outbound: OutboundRequest,
        for request: TransportRequest,
        on pool: ConnectionPool
    ) async throws -> TransportResponse {
        let isBodyUnread: Bool
        switch try await sendWithExpectation(outbound, for: request, on: pool) {
        case .response(let response): return response
        case .refused(let isUnread): isBodyUnread = isUnread
        }
        var request = request
        request.headers.removeAll(where: \.isExpectContinue)
        request.setTimeLeft(request.exchangeTimeout - outbound.exchange.elapsed)
        try request.throwIfOverdue()
        request.onConnect = nil
        request.isResent = true
        var body = outbound.message.body
        if !isBodyUnread { body = try await .opening(request.body) }
        let again = try pool.makeRequest(request, body: body, exchange: Exchange(request))
        return try await send(again, on: pool)
    }

    /// The result of a request with an expectation.
    private enum ExpectationResult {
        case response(TransportResponse)
        /// A 417, after which the request can be sent again: its body is unread, or repeatable.
        case refused(isBodyUnread: Bool)
    }

    /// Sends a request with its expectation.
    ///
    /// The 417 response is released first, because its body may occupy the only connection that is allowed.
    private nonisolated(nonsending) func sendWithExpectation(
        _ outbound: OutboundRequest,
        for request: TransportRequest,
        on pool: ConnectionPool
    ) async throws -> ExpectationResult {
        var response = try await send(outbound, on: pool)
        guard response.status == 417 else { return .response(response) }
        // A 100 before the 417 may let the connection read the body at the same time.
        let isUnread = outbound.expectation?.claimBody() ?? false
        guard isUnread || request.isBodyRepeatable else { return .response(response) }
        await response.dropBody()
        return .refused(isBodyUnread: isUnread)
    }
}
#endif
