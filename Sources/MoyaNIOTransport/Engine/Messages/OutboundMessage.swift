#if NIO && !canImport(Darwin)
import HTTPTypes
import NIOCore

/// A request as a connection writes it, independent of the version of HTTP.
struct OutboundMessage: Sendable {
    enum Body: Sendable {
        case none
        case bytes(ByteBuffer)
        /// A body that is long, waits for the server, or is read or produced while it is sent.
        case reader(HTTPBody.Reader)

        var isNone: Bool { if case .none = self { true } else { false } }

        /// The number of bytes of a body in memory; 0 for others.
        var sizeInMemory: Int { if case .bytes(let bytes) = self { bytes.readableBytes } else { 0 } }
    }

    /// The way in which a message marks the end of its body.
    enum Framing: Equatable, Sendable {
        case none
        case length(Int64)
        /// Chunked over HTTP/1.1; the end of the stream over HTTP/2.
        case chunked
    }

    let method: String
    /// The path and query, or the URL for an HTTP proxy (RFC 9112, section 3.2).
    let target: String
    /// The value of `Host` or `:authority`.
    let authority: String
    /// The headers without `Host`, `Content-Length` and `Transfer-Encoding`, and, in a request for an upgrade, without `Connection` and
    /// `Upgrade`.
    let headers: HTTPFields
    let framing: Framing
    let body: Body
    /// The upgrade to another protocol that the request asks for, if any; it then has no body.
    var upgrade: ProtocolUpgrade?

    /// Whether the body is long or of unknown length, so that a server may respond before it reads all of it.
    var isLong: Bool {
        switch framing {
        case .none: false
        case .length(let length): length > HTTPBody.inlineSize
        case .chunked: true
        }
    }
}
#endif
