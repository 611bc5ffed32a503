#if NIO && !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import NIOCore

    /// A state machine for the handshake with a proxy: bytes in, bytes out.
    protocol ProxyHandshake {
        /// Returns the first bytes to send.
        mutating func begin() -> ByteBuffer

        /// Handles bytes from the proxy.
        mutating func receive(_ bytes: ByteBuffer) throws -> ProxyStep
    }

    enum ProxyStep: Equatable, Sendable {
        /// Wait for more bytes.
        case wait
        case send(ByteBuffer)
        /// The handshake is complete; further bytes belong to the server.
        case done
    }

    /// An error of a proxy.
    enum ProxyError: TransportFailure, Equatable, CustomStringConvertible {
        /// The proxy requires a credential, or did not accept the given one.
        case authenticationRequired
        /// The proxy responded to CONNECT with this status.
        case refused(status: Int)
        /// A SOCKS proxy could not connect (RFC 1928, section 6).
        case notConnected(code: UInt8)
        /// The proxy does not support SOCKS 5.
        case notSOCKS
        /// Bytes were received before the client has sent anything to the server.
        ///
        /// In HTTP and TLS the client sends first.
        case unexpectedBytes
        /// The proxy closed the connection.
        case closed

        var urlErrorCode: URLError.Code {
            switch self {
            case .authenticationRequired: .userAuthenticationRequired
            case .refused, .unexpectedBytes: .badServerResponse
            case .notConnected, .notSOCKS: .cannotConnectToHost
            case .closed: .networkConnectionLost
            }
        }

        var reason: String? { self == .authenticationRequired ? nil : description }

        var description: String {
            switch self {
            case .authenticationRequired: "The proxy requires a user name and a password."
            case .refused(let status): "The proxy refused to connect with status \(status)."
            case .notConnected(let code): "The SOCKS proxy could not connect: \(Self.text(code))."
            case .notSOCKS: "The proxy does not support SOCKS 5."
            case .unexpectedBytes: "The proxy has sent unexpected bytes."
            case .closed: "The proxy has closed the connection."
            }
        }

        private static func text(_ code: UInt8) -> String {
            switch code {
            case 1: "general failure"
            case 2: "not allowed"
            case 3: "the network is unreachable"
            case 4: "the host is unreachable"
            case 5: "the connection was refused"
            case 6: "the connection timed out"
            case 7: "command not supported"
            case 8: "address type not supported"
            default: "code \(code)"
            }
        }
    }

    /// A handler that performs a handshake on a channel, and then forwards all data.
    final class ProxyHandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let promise: EventLoopPromise<Void>
        private var handshake: any ProxyHandshake
        private var isOver = false

        init(_ handshake: any ProxyHandshake, _ promise: EventLoopPromise<Void>) {
            self.handshake = handshake
            self.promise = promise
        }

        /// Sends the first bytes.
        ///
        /// Called when the channel is connected and the handler is added.
        func begin(_ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(handshake.begin()), promise: nil)
        }

        func handlerAdded(context: ChannelHandlerContext) { begin(context) }

        func handlerRemoved(context: ChannelHandlerContext) { end(.failure(ProxyError.closed)) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isOver else { return context.fireChannelRead(data) }
            do {
                switch try handshake.receive(unwrapInboundIn(data)) {
                case .wait: break
                case .send(let bytes): context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
                case .done: end(.success(()))
                }
            } catch {
                end(.failure(error))
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if isOver { context.fireErrorCaught(error) } else { end(.failure(error)) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            end(.failure(ProxyError.closed))
            context.fireChannelInactive()
        }

        private func end(_ result: Result<Void, any Error>) {
            guard !isOver else { return }
            isOver = true
            promise.completeWith(result)
        }
    }

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
                request.writeBytes([address.isIPv6 ? 4 : 1])
                request.writeBytes(address.bytes)
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
