#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import FoundationNetworking

    extension TransportRequest {
        /// Checks and sends a request, and decodes the response.
        ///
        /// It is sent once more if its connection was lost before anything came back and the method is idempotent
        /// (RFC 9112, section 9.3.1): the server may have closed the connection in the moment it was used again. And if the
        /// server says that it has done nothing with it, whatever the method is (RFC 9113, section 8.7).
        ///
        /// - Parameter send: Sends it, and returns the response as it comes.
        /// - Throws: `URLError` for a port that is none; ``RequestValidationError`` for a TRACE with a body; or what `send`
        ///   throws.
        func exchange(
            _ send: (TransportRequest, Exchange) async throws -> TransportResponse
        ) async throws -> TransportResponse {
            // NIO traps on a port of more than 16 bits.
            guard url.hasValidPort else { throw URLError.exchange(.badURL, url: url) }
            if body != nil, method == .trace { throw RequestValidationError.bodyNotAllowed(method: method.rawValue) }
            return try await sendOnceOrTwice(send)
                .decoded(limits: decodingLimits, bufferLimit: responseBufferLimit, url: url)
        }

        private func sendOnceOrTwice(
            _ send: (TransportRequest, Exchange) async throws -> TransportResponse
        ) async throws -> TransportResponse {
            let exchange = Exchange(self)
            do {
                return try await send(self, exchange)
            } catch let error as URLError
                where (method.isIdempotent && error.isFromClosedConnection || error.isFromUnprocessedRequest)
                && !exchange.hasReceivedHead && body?.isRepeatable != false
            {
                var request = self
                request.totalTimeout -= exchange.elapsed
                return try await send(request, Exchange(request))
            }
        }
    }
#endif
