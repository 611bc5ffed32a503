#if NIO && !canImport(Darwin)
    import NIOCore

    /// The handshake with a SOCKS 5 proxy (RFC 1928), with user name and password (RFC 1929).
    struct SOCKSHandshake: ProxyHandshake {
        private enum Phase: Sendable { case method, login, reply }

        private static let noLogin: UInt8 = 0
        private static let login: UInt8 = 2

        private let request: ByteBuffer
        private let credential: TransportProxy.Credential?
        private var phase = Phase.method
        private var bytes = ByteBuffer()

        /// Creates a handshake.
        ///
        /// `host` is an address, or a name of up to 255 bytes that the proxy resolves. User name and password have
        /// 1 to 255 bytes each.
        init(host: String, port: Int, credential: TransportProxy.Credential?) {
            var request = ByteBuffer(bytes: [5, 1, 0])
            if let address = HostName(host).address {
                request.writeBytes([address.count == 4 ? 1 : 4])
                request.writeBytes(address)
            } else {
                request.writeBytes([3])
                Self.writeCounted(host, to: &request)
            }
            request.writeInteger(UInt16(clamping: port))
            self.request = request
            self.credential = credential
        }

        private static func writeCounted(_ text: String, to buffer: inout ByteBuffer) {
            let bytes = text.utf8.prefix(255)
            buffer.writeInteger(UInt8(bytes.count))
            buffer.writeBytes(bytes)
        }

        mutating func begin() -> ByteBuffer {
            ByteBuffer(bytes: credential == nil ? [5, 1, Self.noLogin] : [5, 2, Self.noLogin, Self.login])
        }

        mutating func receive(_ more: ByteBuffer) throws -> ProxyStep {
            bytes.writeImmutableBuffer(more)
            let view = bytes.readableBytesView
            let at = { (index: Int) in view.dropFirst(index).first }
            if phase != .login, let version = at(0), version != 5 { throw ProxyError.notSOCKS }
            guard let second = at(1) else { return .wait }
            switch phase {
            case .method:
                try take(2)
                switch second {
                case Self.noLogin: return ask()
                case Self.login:
                    guard let credential else { throw ProxyError.authenticationRequired }
                    var login = ByteBuffer(bytes: [1])
                    Self.writeCounted(credential.user, to: &login)
                    Self.writeCounted(credential.password, to: &login)
                    phase = .login
                    return .send(login)
                default: throw ProxyError.authenticationRequired
                }
            case .login:
                try take(2)
                guard second == 0 else { throw ProxyError.authenticationRequired }
                return ask()
            case .reply:
                guard second == 0 else { throw ProxyError.notConnected(code: second) }
                guard let type = at(3) else { return .wait }
                let length: Int
                switch type {
                case 1: length = 10
                case 4: length = 22
                case 3:
                    guard let count = at(4) else { return .wait }
                    length = 7 + Int(count)
                default: throw ProxyError.notSOCKS
                }
                guard view.count >= length else { return .wait }
                try take(length)
                return .done
            }
        }

        private mutating func ask() -> ProxyStep {
            phase = .reply
            return .send(request)
        }

        /// Consumes exactly `count` bytes; the proxy must not send more before the next request.
        private mutating func take(_ count: Int) throws {
            guard bytes.readableBytes == count else { throw ProxyError.unexpectedBytes }
            bytes.clear()
        }
    }
#endif
