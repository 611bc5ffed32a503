import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportRequest {
    /// Checks and sends a request, for transports over SwiftNIO.
    ///
    /// - Parameter send: Sends the request, and returns the response as it arrives.
    /// - Returns: The response, whose content is not decoded.
    /// - Throws: `URLError` for an invalid port; ``RequestValidationError`` for a TRACE with a body; or the error of `send`.
    package nonisolated(nonsending) func exchange(
        _ send: nonisolated(nonsending) (TransportRequest, Exchange) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        // NIO traps on a port of more than 16 bits.
        guard url.hasValidPort else { throw URLError.make(.badURL, url: url, reason: URL.invalidPortText) }
        if body != nil, method == .trace { throw RequestValidationError.bodyNotAllowed(method: method.rawValue) }
        var response = try await send(self, Exchange(self))
        // The session decodes it.
        response.isDecoded = false
        return response
    }
}

extension HTTPBody {
    /// The maximum size in bytes of a body that is sent at once, which should fit into the socket's buffer.
    private static let maximumInlineLength = 32 * 1024

    /// The body, if it need not be streamed.
    ///
    /// A longer body is streamed even if it is in memory, since a server may respond before it has read all of
    /// it.
    package var inlineData: Data? {
        guard let data, data.count <= Self.maximumInlineLength else { return nil }
        return data
    }
}
