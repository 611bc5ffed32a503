import Foundation

extension TransportRequest {
    /// Checks a request, and creates its exchange, for transports over SwiftNIO.
    ///
    /// - Throws: `URLError` for an invalid port; ``RequestValidationError`` for a TRACE with a body, or an invalid upgrade.
    package func makeExchange() throws -> Exchange {
        // NIO traps on a port of more than 16 bits.
        guard url.hasValidPort else { throw URLError.make(.badURL, url: url, reason: URL.invalidPortText) }
        if body != nil, method == .trace { throw RequestValidationError.bodyNotAllowed(method: method.rawValue) }
        if let upgrade, body != nil || method != .get || !upgrade.hasValidName {
            throw RequestValidationError.invalidUpgrade
        }
        return Exchange(self)
    }
}
