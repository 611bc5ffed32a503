#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import FoundationNetworking

    extension TransportRequest {
        /// Validates and sends the request, and decodes the response.
        ///
        /// - Parameter send: Sends the request, and returns the response without decoding.
        /// - Returns: The decoded response.
        /// - Throws: `URLError` for an invalid port; ``RequestValidationError`` for a TRACE with a body; or the
        ///   error of `send`.
        func exchange(
            _ send: (TransportRequest, Exchange) async throws -> TransportResponse
        ) async throws -> TransportResponse {
            // NIO traps on a port of more than 16 bits.
            guard url.hasValidPort else { throw URLError.exchange(.badURL, url: url, reason: URL.invalidPortText) }
            if body != nil, method == .trace { throw RequestValidationError.bodyNotAllowed(method: method.rawValue) }
            var response = try await send(self, Exchange(self))
            // The session decodes it.
            response.isDecoded = false
            return response
        }
    }
#endif
