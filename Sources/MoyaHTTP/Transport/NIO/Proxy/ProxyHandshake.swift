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
#endif
