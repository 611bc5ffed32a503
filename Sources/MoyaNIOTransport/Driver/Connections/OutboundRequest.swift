#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat

/// A request on its way to a connection: its message, and the exchange that receives its events.
final class OutboundRequest: Sendable {
    let message: OutboundMessage
    /// The expectation of a body that is not sent before the server agrees.
    let expectation: ContinueExpectation?
    /// Whether the request is new, or sent again (``TransportRequest/isResent``).
    let history: WaitingRequests.History
    /// ``TransportRequest/canBeResent``.
    let canBeResent: Bool
    let exchange: Exchange
    /// The pool of the request, which the request keeps alive.
    private let pool: any AnyObject & Sendable

    /// Creates an outbound request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - exchange: The exchange of the request.
    ///   - route: The route of the connections that can send the request.
    ///   - hostHeader: The `Host` header for a request without one.
    ///   - pool: The pool of the connections, which the request keeps alive.
    ///   - openBody: Opens the body, and returns its expectation, if it waits for the server. It is called only for a valid request,
    ///     because it claims a body that can be read once.
    /// - Throws: ``RequestValidationError`` for values that could break the request line or the authority, which may come from
    ///   a `Host` field. Other header fields are safe, since their types do not allow line breaks. Or the error of `openBody`.
    init(
        _ request: borrowing TransportRequest,
        exchange: Exchange,
        route: ProxyRoute,
        hostHeader: @autoclosure () -> String,
        pool: any AnyObject & Sendable,
        openBody: (borrowing TransportRequest) throws -> OutboundMessage.Body.Opened
    ) throws {
        try request.method.validate()
        let method = request.method.rawValue
        let target: String
        if case .forwarding = route {
            target = request.url.absoluteTarget
        } else {
            target = request.url.requestTarget
        }
        guard target.isVisible else {
            throw RequestValidationError.invalidURL(request.url.withoutCredentials.absoluteString)
        }
        var (headers, chosenHost) = (request.headers, "")
        if headers.contains(where: \.isWrittenByTransport) {
            chosenHost = headers.first { $0.name == .hostField && !$0.value.isEmpty }?.value ?? ""
            headers.removeAll(where: \.isWrittenByTransport)
        }
        let upgrade = request.upgrade
        if upgrade != nil { headers.removeAll { $0.name == .connection || $0.name == .upgrade } }
        if let names = request.body?.trailerList, !headers.contains(.trailer) { headers[.trailer] = names }
        // Through a tunnel the field would reach the server.
        if case .tunnel = route { headers[.proxyAuthorization] = nil }
        let authority = chosenHost.isEmpty ? hostHeader() : chosenHost
        guard authority.isVisible else {
            throw chosenHost.isEmpty
                ? RequestValidationError.invalidURL(request.url.withoutCredentials.absoluteString)
                : .invalidHeaderValue(name: "Host")
        }
        let (body, expectation) = try openBody(request)
        if expectation != nil { headers.append(HTTPField(name: .expect, value: "100-continue")) }
        let framing: OutboundMessage.Framing =
            switch body {
            case .bytes(let bytes): .length(Int64(bytes.readableBytes))
            // Trailers follow only a chunked body (RFC 9112, section 7.1.2).
            case .reader(let reader): reader.hasTrailers ? .chunked : reader.length.map { .length($0) } ?? .chunked
            // RFC 9110, section 8.6: a server may expect a body with these methods. URLSession counts DELETE, too.
            case .none:
                request.body != nil || request.method.usuallyHasBody ? .length(0) : .none
            }
        message = OutboundMessage(
            method: method,
            target: target,
            authority: authority,
            headers: headers,
            framing: framing,
            body: body,
            upgrade: upgrade
        )
        history = request.isResent ? .resent(age: request.age) : .new
        canBeResent = request.canBeResent
        (self.expectation, self.exchange, self.pool) = (expectation, exchange, pool)
    }
}

extension HTTPField {
    /// Whether the field is left out of the headers: the first `Host` with a value is the authority, and the body determines the
    /// framing and the expectation.
    fileprivate var isWrittenByTransport: Bool {
        // The length rules out nearly all other names.
        switch name.canonicalName.utf8.count {
        case 4: name == .hostField
        case 6: isExpectContinue
        case 14, 17: name.isFraming
        default: false
        }
    }
}

extension HTTPMethod {
    /// Whether a server may expect a body.
    fileprivate var usuallyHasBody: Bool { self == .post || self == .put || self == .patch || self == .delete }
}

extension String {
    /// Whether no byte is a space or a control character.
    fileprivate var isVisible: Bool {
        var text = self
        return text.withUTF8 { bytes in bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F } }
    }
}
#endif
