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

    /// Throws ``RequestValidationError/invalidUpgrade`` if a request for an upgrade is not a GET without a body, or names no protocol.
    package func validateUpgrade() throws(RequestValidationError) {
        guard let upgrade else { return }
        guard body == nil, method == .get, upgrade.hasValidName else { throw .invalidUpgrade }
    }
}
