#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import FoundationNetworking

    extension TransportRequest {
        /// Checks and sends a request, and decodes the response.
        ///
        /// - Parameter send: Sends it, and returns the response as it comes.
        /// - Throws: `URLError` for a port that is not valid; ``RequestValidationError`` for a TRACE with a body; or what `send`
        ///   throws.
        func exchange(
            _ send: (TransportRequest, Exchange) async throws -> TransportResponse
        ) async throws -> TransportResponse {
            // NIO traps on a port of more than 16 bits.
            guard url.hasValidPort else { throw URLError.exchange(.badURL, url: url, reason: URL.invalidPortText) }
            if body != nil, method == .trace { throw RequestValidationError.bodyNotAllowed(method: method.rawValue) }
            return try await send(self, Exchange(self))
                .decoded(
                    limits: decodingLimits,
                    bufferLimit: responseBufferLimit,
                    accepting: headers[values: .acceptEncoding],
                    url: url
                )
        }
    }
#endif
