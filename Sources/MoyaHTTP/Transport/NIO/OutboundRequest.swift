#if NIO && !canImport(Darwin)
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat

    /// An outbound request, independent of the version of HTTP, and the exchange that receives its events.
    struct OutboundRequest: Sendable {
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
        /// Whether the request is sent again (``TransportRequest/isResent``).
        let isResent: Bool
        let exchange: Exchange
        /// The pool of the request, which keeps the pool alive.
        let pool: ConnectionPool
    }

    extension OutboundRequest {
        fileprivate static let host = HTTPField.Name("Host")

        /// Creates an outbound request.
        ///
        /// - Throws: ``RequestValidationError`` for values that could break the request line. Header fields are
        ///   safe, since their types do not allow line breaks.
        init(_ request: TransportRequest, _ body: Body, _ exchange: Exchange, _ pool: ConnectionPool) throws {
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
            // In a tunnel it would reach the server.
            if case .tunnel = pool.route { headers[.proxyAuthorization] = nil }
            self.headers = headers
            self.authority = authority.isEmpty ? pool.hostHeader : authority
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
            (self.body, self.exchange, self.pool) = (body, exchange, pool)
        }
    }

    extension HTTPField {
        /// Whether the field is left out of the headers: the first `Host` is the authority, and the body determines the
        /// framing.
        fileprivate var isWrittenByTransport: Bool { name.isFraming || name == OutboundRequest.host }
    }

    extension UInt8 {
        /// Whether the byte is neither a space nor a control character.
        fileprivate var isVisible: Bool { self > 0x20 && self != 0x7F }
    }

    /// A request in a pool.
    ///
    /// It must be used on the pool's event loop only.
    final class PooledRequest {
        enum State {
            case waiting(ConnectionPoolStateMachine.RequestID)
            case running(any HTTPConnection)
            case over
        }

        let request: OutboundRequest
        var state = State.over
        /// The HTTP/2 stream of the request.
        var streamID: UInt32 = 0

        var exchange: Exchange { request.exchange }

        init(_ request: OutboundRequest) { self.request = request }
    }
#endif
