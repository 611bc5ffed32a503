#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import FoundationNetworking

    extension TransportRequest {
        /// Sends a request, and once more if its connection was lost before anything came back and the method is idempotent
        /// (RFC 9112, section 9.3.1): the server may have closed the connection in the moment it was used again.
        ///
        /// - Throws: ``RequestValidationError`` for a TRACE with a body, or what `send` throws.
        func sendingAgainIfConnectionWasClosed(
            _ send: (TransportRequest, Exchange) async throws -> TransportResponse
        ) async throws -> TransportResponse {
            if body != nil, method == .trace { throw RequestValidationError.bodyNotAllowed(method: method.rawValue) }
            let exchange = Exchange(self)
            do {
                return try await send(self, exchange)
            } catch let error as URLError
                where method.isIdempotent && error.isFromClosedConnection && !exchange.hasReceivedHead
                && body?.isRepeatable != false
            {
                var request = self
                request.totalTimeout -= exchange.elapsed
                return try await send(request, Exchange(request))
            }
        }
    }
#endif
