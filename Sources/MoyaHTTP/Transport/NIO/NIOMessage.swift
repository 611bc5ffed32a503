#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat

    /// What a connection is to carry: a request, whatever the version of HTTP, and the exchange that is told of all that comes.
    struct NIOMessage: Sendable {
        enum Body: Sendable {
            case none
            case bytes(ByteBuffer)
            /// One that is long, or comes while it is sent.
            case reader(HTTPBody.Reader)

            var isNone: Bool { if case .none = self { true } else { false } }
            var isReader: Bool { if case .reader = self { true } else { false } }
        }

        /// How the end of the body is found.
        enum Framing: Equatable, Sendable {
            case none
            case length(Int64)
            /// Over HTTP/1.1, a chunked body; over HTTP/2, the end of the stream.
            case chunked
        }

        let method: String
        /// The path and query (RFC 9112, section 3.2.1).
        let target: String
        /// The value of `Host` or `:authority`: the caller's own `Host` field, or the origin's.
        let authority: String
        /// Without `Host`, `Content-Length` and `Transfer-Encoding`.
        let headers: HTTPFields
        let framing: Framing
        let body: Body
        /// Whether it was sent before (``TransportRequest/isResent``).
        let isResent: Bool
        let exchange: Exchange
        /// Where it runs: a pool that has something to do is not let go of.
        let pool: NIOPool
    }

    extension NIOMessage {
        private static let host = HTTPField.Name("Host")

        /// - Throws: ``RequestValidationError`` for what could change the request's first lines. Fields can't: their types
        ///   allow no line break.
        init(_ request: TransportRequest, _ body: Body, _ exchange: Exchange, _ pool: NIOPool) throws {
            method = request.method.rawValue
            guard !method.isEmpty, method.utf8.allSatisfy(\.isToken) else {
                throw RequestValidationError.invalidMethod(method)
            }
            target = request.url.requestTarget
            guard target.utf8.allSatisfy(\.isVisible) else {
                throw RequestValidationError.invalidURL(request.url.withoutCredentials.absoluteString)
            }
            var (headers, authority) = (HTTPFields(), "")
            headers.reserveCapacity(request.headers.count)
            for field in request.headers {
                // The framing is the body's.
                if field.name == .contentLength || field.name == .transferEncoding { continue }
                if field.name == Self.host {
                    if authority.isEmpty { authority = field.value }
                } else {
                    headers.append(field)
                }
            }
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
                // RFC 9110, section 8.6: a server may wait for a body where the method usually has one.
                case .none:
                    request.body != nil || [.post, .put, .patch].contains(request.method) ? .length(0) : .none
                }
            isResent = request.isResent
            (self.body, self.exchange, self.pool) = (body, exchange, pool)
        }
    }

    extension UInt8 {
        /// Neither a space nor a control character.
        fileprivate var isVisible: Bool { self > 0x20 && self != 0x7F }
    }

    extension HTTPBody {
        /// What is larger, in bytes, may not fit into the socket's buffer.
        private static let longestAtOnce = 32 * 1024

        /// All of a body that need not be streamed. One that is longer is, also where it is all there, as a server may answer
        /// before it has read it.
        var dataAtOnce: Data? {
            guard let data, data.count <= Self.longestAtOnce else { return nil }
            return data
        }
    }
#endif
