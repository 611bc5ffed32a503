import Foundation

extension TransportRequest {
    /// Checks a request, and creates its exchange, for transports over SwiftNIO.
    ///
    /// - Throws: `URLError` for an invalid port; ``RequestValidationError`` for a TRACE with a body.
    package func makeExchange() throws -> Exchange {
        // NIO traps on a port of more than 16 bits.
        guard url.hasValidPort else { throw URLError.make(.badURL, url: url, reason: URL.invalidPortText) }
        if body != nil, method == .trace { throw RequestValidationError.bodyNotAllowed(method: method.rawValue) }
        return Exchange(self)
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
