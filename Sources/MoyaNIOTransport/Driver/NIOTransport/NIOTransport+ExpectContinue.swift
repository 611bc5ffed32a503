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
        if let response = try await sendWithExpectation(outbound, for: request, on: pool) {
            return response
        }
        var request = request
        request.headers.removeAll(where: \.isExpectContinue)
        request.setTimeLeft(request.exchangeTimeout - outbound.exchange.elapsed)
        try request.throwIfOverdue()
        request.onConnect = nil
        request.isResent = true
        // If the transport has begun to read the body, the body is repeatable, since the 417 would have been returned otherwise.
        let begun = outbound.expectation?.hasBegunBody ?? true
        var body = outbound.message.body
        if begun { body = try await .opening(request.body) }
        let again = try pool.makeRequest(request, body: body, exchange: Exchange(request))
        return try await send(again, on: pool)
    }

    /// Sends a request with its expectation, and returns the response; `nil` for a 417 after which the request can be sent again.
    ///
    /// The 417 response is released first, because its body may occupy the only connection that is allowed.
    private nonisolated(nonsending) func sendWithExpectation(
        _ outbound: OutboundRequest,
        for request: TransportRequest,
        on pool: ConnectionPool
    ) async throws -> TransportResponse? {
        var response = try await send(outbound, on: pool)
        guard response.status == 417 else { return response }
        let isUnread = outbound.expectation?.hasBegunBody == false
        guard isUnread || request.isBodyRepeatable else { return response }
        await response.dropBody()
        return nil
    }
}
#endif
