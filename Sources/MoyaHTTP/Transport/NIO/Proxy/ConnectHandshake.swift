#if NIO && !canImport(Darwin)
    import Foundation
    import NIOCore

    /// The handshake with an HTTP proxy by CONNECT (RFC 9110, section 9.3.6).
    struct ConnectHandshake: ProxyHandshake {
        private let request: ByteBuffer
        private var parser = HTTP1ResponseParser(method: "CONNECT")

        init(host: String, port: Int, credential: TransportProxy.Credential?) {
            let authority = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
            var text = "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n"
            if let credential {
                let value = HTTPHeader.authorization(username: credential.user, password: credential.password).value
                text += "Proxy-Authorization: \(value)\r\n"
            }
            request = ByteBuffer(string: text + "\r\n")
        }

        mutating func begin() -> ByteBuffer { request }

        mutating func receive(_ bytes: ByteBuffer) throws -> ProxyStep {
            parser.feed(bytes)
            while let event = try parser.next() {
                switch event {
                case .interim(let head):
                    if head.status == 101 { throw SwitchedProtocol() }
                case .head(let head):
                    if head.status == 407 { throw ProxyError.authenticationRequired }
                    guard (200..<300).contains(head.status) else { throw ProxyError.refused(status: head.status) }
                case .body: break
                case .end:
                    guard parser.unparsed.readableBytes == 0 else { throw ProxyError.unexpectedBytes }
                    return .done
                }
            }
            return .wait
        }
    }
#endif
