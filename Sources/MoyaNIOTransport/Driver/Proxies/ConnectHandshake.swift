#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore

/// The handshake with an HTTP proxy by CONNECT (RFC 9110, section 9.3.6).
///
/// The response to a challenge is sent on the same connection, or on a new one if the proxy closes it or sends a long body.
struct ConnectHandshake: ProxyHandshake {
    /// The maximum size of the body of a challenge that is read to keep the connection.
    private static let longestBody = 64 * 1024

    private let authority: String
    private let proxy: HTTPProxy
    private var authorization: ProxyAuthorization
    private var parser = HTTP1ResponseParser(method: "CONNECT")
    /// Whether the current response is a challenge, after which the request is sent again.
    private var isChallenged = false
    private var bodySize = 0
    /// Whether the request has been sent again on the current connection.
    private var isReused = false

    init(host: String, port: Int, proxy: HTTPProxy) {
        let host = host.withoutZone
        authority = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        self.proxy = proxy
        authorization = proxy.authorization(for: ChallengedRequest(method: "CONNECT", target: authority))
    }

    mutating func begin() -> ByteBuffer {
        isReused = false
        return request()
    }

    private mutating func request() -> ByteBuffer {
        parser = HTTP1ResponseParser(method: "CONNECT")
        (isChallenged, bodySize) = (false, 0)
        var bytes = ByteBuffer(string: "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n")
        if let field = authorization.field {
            bytes.writeString("Proxy-Authorization: ")
            bytes.writeBytes(field.bytes)
            bytes.writeString("\r\n")
        }
        bytes.writeString("\r\n")
        return bytes
    }

    mutating func receive(_ bytes: ByteBuffer) throws -> ProxyStep {
        parser.feed(bytes)
        while let event = try nextEvent() {
            switch event {
            case .interim(let head):
                if head.status == 101 { throw ProxyError.switchedProtocol }
            case .head(let head):
                try take(head)
                // The body is read only to use the connection again.
                if isChallenged, !parser.isPersistent { return .reconnect }
            case .body(let piece):
                bodySize += piece.readableBytes
                if bodySize > Self.longestBody { return .reconnect }
            case .end:
                guard parser.unparsed.readableBytes == 0 else { throw ProxyError.unexpectedBytes }
                guard isChallenged else { return .done }
                isReused = true
                return .send(request())
            }
        }
        return isChallenged ? .waitForRest : .wait
    }

    private mutating func nextEvent() throws(ProxyError) -> HTTP1ResponseParser.Event? {
        do {
            return try parser.next()
        } catch {
            throw .invalidResponse(error)
        }
    }

    private mutating func take(_ head: ResponseHead) throws {
        switch head.status {
        case 407:
            // CONNECT has no body that could be hashed.
            guard try proxy.respond(to: head.headers[storable: .proxyAuthenticate], with: &authorization) == nil
            else {
                throw ProxyError.credentialRefused
            }
            isChallenged = true
        case 200..<300:
            try proxy.accept(authorization, info: head.headers[storable: .proxyAuthenticationInfo])
        default:
            throw ProxyError.refused(status: head.status)
        }
    }

    /// Handles the end of the connection, which may come within a challenge, or before the proxy responds to the repeated
    /// request.
    mutating func closed() throws -> ProxyStep {
        guard isChallenged || (isReused && !parser.hasReceivedBytes) else { throw ProxyError.closed }
        return .reconnect
    }
}
#endif
