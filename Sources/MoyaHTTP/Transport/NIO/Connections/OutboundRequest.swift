#if NIO && !canImport(Darwin)
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat

    /// An outbound request, independent of the version of HTTP, and the exchange that receives its events.
    final class OutboundRequest: Sendable {
        enum Body: Sendable {
            case none
            case bytes(ByteBuffer)
            /// A body that is long, or that is produced while it is sent.
            case reader(HTTPBody.Reader)

            var isNone: Bool { if case .none = self { true } else { false } }
            var isReader: Bool { if case .reader = self { true } else { false } }
        }

        /// The way in which the end of the body is marked.
        enum Framing: Equatable, Sendable {
            case none
            case length(Int64)
            /// Chunked over HTTP/1.1; the end of the stream over HTTP/2.
            case chunked
        }

        let method: String
        /// The path and query, or the URL for an HTTP proxy (RFC 9112, section 3.2).
        let target: String
        /// The value of `Host` or `:authority`: the caller's `Host` field, or that of the origin.
        let authority: String
        /// The headers without `Host`, `Content-Length` and `Transfer-Encoding`.
        let headers: HTTPFields
        let framing: Framing
        let body: Body
        /// The expectation of a body that is not sent before the server agrees.
        let expectation: ExpectContinue.Expectation?
        /// Whether the request is sent again (``TransportRequest/isResent``).
        let isResent: Bool
        /// The time since the request was first made, if it is sent again.
        let age: Duration
        /// Whether the request can be sent again if it is lost with its connection (RFC 9110, section 9.2.2).
        let isRepeatable: Bool
        let exchange: Exchange
        /// The pool of the request, which keeps the pool alive.
        let pool: ConnectionPool

        fileprivate static let host = HTTPField.Name("Host")

        /// Creates an outbound request.
        ///
        /// - Throws: ``RequestValidationError`` for values that could break the request line. Header fields are
        ///   safe, since their types do not allow line breaks.
        init(
            _ request: TransportRequest,
            _ body: Body,
            _ exchange: Exchange,
            _ pool: ConnectionPool,
            _ expectation: ExpectContinue.Expectation? = nil
        ) throws {
            method = request.method.rawValue
            guard !method.isEmpty, method.utf8.allSatisfy(\.isToken) else {
                throw RequestValidationError.invalidMethod(method)
            }
            if case .forwarding = pool.route {
                target = request.url.absoluteTarget
            } else {
                target = request.url.requestTarget
            }
            guard target.utf8.allSatisfy(\.isVisible) else {
                throw RequestValidationError.invalidURL(request.url.withoutCredentials.absoluteString)
            }
            var (headers, authority) = (request.headers, "")
            if headers.contains(where: \.isWrittenByTransport) {
                authority = headers.first { $0.name == Self.host && !$0.value.isEmpty }?.value ?? ""
                headers.removeAll(where: \.isWrittenByTransport)
            }
            if expectation != nil { headers.append(HTTPField(name: .expect, value: "100-continue")) }
            // In a tunnel it would reach the server.
            if case .tunnel = pool.route { headers[.proxyAuthorization] = nil }
            self.headers = headers
            self.authority = authority.isEmpty ? pool.hostHeader(for: request.url) : authority
            guard self.authority.utf8.allSatisfy(\.isVisible) else {
                throw authority.isEmpty
                    ? RequestValidationError.invalidURL(request.url.withoutCredentials.absoluteString)
                    : .invalidHeaderValue(name: "Host")
            }
            framing =
                switch body {
                case .bytes(let bytes): .length(Int64(bytes.readableBytes))
                case .reader(let reader): reader.length.map { .length($0) } ?? .chunked
                // RFC 9110, section 8.6: a server may expect a body with these methods. URLSession counts DELETE, too.
                case .none:
                    request.body != nil || [.post, .put, .patch, .delete].contains(request.method)
                        ? .length(0) : .none
                }
            isResent = request.isResent
            age = request.isResent ? request.age : .zero
            // Most requests are GETs, for which this is cheap.
            isRepeatable = (request.method == .get || request.method.isIdempotent) && request.body?.isRepeatable ?? true
            (self.body, self.expectation, self.exchange, self.pool) = (body, expectation, exchange, pool)
        }
    }

    extension HTTPField {
        /// Whether the field is left out of the headers: the first `Host` is the authority, and the body determines the
        /// framing and the expectation.
        fileprivate var isWrittenByTransport: Bool {
            // The length rules out nearly all other names.
            switch name.canonicalName.utf8.count {
            case 4: name == OutboundRequest.host
            case 6: expectsContinue
            case 14, 17: name.isFraming
            default: false
            }
        }
    }

    extension UInt8 {
        /// Whether the byte is neither a space nor a control character.
        fileprivate var isVisible: Bool { self > 0x20 && self != 0x7F }
    }
#endif
