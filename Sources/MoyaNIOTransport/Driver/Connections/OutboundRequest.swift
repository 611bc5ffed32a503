#if NIO && !canImport(Darwin)
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat

    /// A request on its way to a connection: its message, and the exchange that receives its events.
    final class OutboundRequest: Sendable {
        let message: OutboundMessage
        /// The expectation of a body that is not sent before the server agrees.
        let expectation: Expectation?
        /// Whether the request is new, or sent again (``TransportRequest/isResent``).
        let history: WaitingRequests.History
        /// Whether the request can be sent again if it is lost with its connection (RFC 9110, section 9.2.2).
        let canBeResent: Bool
        let exchange: Exchange
        /// The pool of the request, which the request keeps alive.
        private let pool: any AnyObject & Sendable

        fileprivate static let host = HTTPField.Name("Host")

        /// Creates an outbound request.
        ///
        /// - Parameters:
        ///   - request: The request.
        ///   - body: The opened body of the request.
        ///   - exchange: The exchange of the request.
        ///   - route: The route of the connections that can send the request.
        ///   - hostHeader: The `Host` header for a request without one.
        ///   - pool: The pool of the connections, which the request keeps alive.
        ///   - expectation: The expectation of the body, if it waits for the server.
        /// - Throws: ``RequestValidationError`` for values that could break the request line or the authority, which may come from
        ///   a `Host` field. Other header fields are safe, since their types do not allow line breaks.
        init(
            _ request: borrowing TransportRequest,
            body: OutboundMessage.Body,
            exchange: Exchange,
            route: ProxyRoute,
            hostHeader: @autoclosure () -> String,
            pool: any AnyObject & Sendable,
            expectation: Expectation? = nil
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
                chosenHost = headers.first { $0.name == Self.host && !$0.value.isEmpty }?.value ?? ""
                headers.removeAll(where: \.isWrittenByTransport)
            }
            if let names = request.body?.trailerList, !headers.contains(.trailer) { headers[.trailer] = names }
            if expectation != nil { headers.append(HTTPField(name: .expect, value: "100-continue")) }
            // Through a tunnel the field would reach the server.
            if case .tunnel = route { headers[.proxyAuthorization] = nil }
            let authority = chosenHost.isEmpty ? hostHeader() : chosenHost
            guard authority.isVisible else {
                throw chosenHost.isEmpty
                    ? RequestValidationError.invalidURL(request.url.withoutCredentials.absoluteString)
                    : .invalidHeaderValue(name: "Host")
            }
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
                body: body
            )
            history = request.isResent ? .resent(age: request.age) : .new
            // Most requests are GETs, for which this is cheap.
            canBeResent = (request.method == .get || request.method.isIdempotent) && request.isBodyRepeatable
            (self.expectation, self.exchange, self.pool) = (expectation, exchange, pool)
        }
    }

    extension HTTPField {
        /// Whether the field is left out of the headers: the first `Host` is the authority, and the body determines the
        /// framing and the expectation.
        fileprivate var isWrittenByTransport: Bool {
            // The length rules out nearly all other names.
            switch name.canonicalName.utf8.count {
            case 4: name == OutboundRequest.host
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
