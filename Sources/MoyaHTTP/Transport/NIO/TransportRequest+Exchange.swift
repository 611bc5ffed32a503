#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import FoundationNetworking

    extension TransportRequest {
        /// Checks and sends a request.
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
            var response = try await send(self, Exchange(self))
            // The session decodes it.
            response.isDecoded = false
            return response
        }
    }
#endif
