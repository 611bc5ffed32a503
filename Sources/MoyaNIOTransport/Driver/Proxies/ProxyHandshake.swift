#if NIO && !canImport(Darwin)
import Foundation
import NIOCore

/// A state machine for the handshake with a proxy: bytes in, bytes out.
protocol ProxyHandshake: Sendable {
    /// Returns the first bytes to send.
    mutating func begin() -> ByteBuffer

    /// Handles bytes from the proxy.
    mutating func receive(_ bytes: ByteBuffer) throws -> ProxyStep

    /// Handles the end of the connection.
    mutating func closed() throws -> ProxyStep
}

extension ProxyHandshake {
    mutating func closed() throws -> ProxyStep { throw ProxyError.closed }
}

enum ProxyStep: Equatable, Sendable {
    /// Wait for more bytes.
    case wait
    /// Wait for the rest of a dropped response, at most for ``DroppedBodyLimits/time``, and then continue on a new
    /// connection.
    case waitForRest
    case send(ByteBuffer)
    /// Continue on a new connection.
    case reconnect
    /// The handshake is complete; further bytes belong to the server.
    case done
}

/// An error of a proxy.
enum ProxyError: TransportFailure, Equatable {
    /// The proxy requires a credential, and there is none.
    case authenticationRequired
    /// The proxy did not accept the credential.
    case credentialRefused
    /// A SOCKS proxy accepts neither a user name with a password, nor a connection without them (RFC 1928, section 3).
    case noAcceptableMethod
    /// The credential cannot be sent by Basic.
    case invalidCredential(CredentialError)
    /// The proxy requires a credential by none of the supported schemes, or its challenge is missing or invalid.
    case unsupportedChallenge(schemes: [String])
    /// The proxy has not proved that it knows the password (RFC 7616, section 3.5).
    case notAuthentic
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
    /// The response of the proxy is not valid HTTP.
    case invalidResponse(HTTP1ResponseError)
    /// The proxy has switched to another protocol, for which the client has not asked.
    case switchedProtocol
    /// The proxy closed the connection.
    case closed
    /// The handshake has not ended within the connect timeout.
    case noResponse(within: Duration)

    var urlErrorCode: URLError.Code {
        switch self {
        case .authenticationRequired, .credentialRefused, .invalidCredential, .unsupportedChallenge,
            .noAcceptableMethod:
            .userAuthenticationRequired
        case .refused, .unexpectedBytes, .switchedProtocol, .notAuthentic: .badServerResponse
        case .notConnected, .notSOCKS: .cannotConnectToHost
        case .invalidResponse(let error): error.urlErrorCode
        case .closed: .networkConnectionLost
        case .noResponse: .timedOut
        }
    }

    /// The text is in ``ProxyFailure``, which knows the proxy.
    var reason: String? { nil }

    var connectTimeout: Duration? {
        guard case .noResponse(let time) = self else { return nil }
        return time
    }

    /// Returns the text of the error of this proxy.
    func text(of proxy: ProxyAddress) -> String {
        switch self {
        case .authenticationRequired: "The proxy \(proxy) requires a user name and a password."
        case .credentialRefused: "The proxy \(proxy) did not accept the user name and the password."
        case .noAcceptableMethod:
            "The SOCKS proxy \(proxy) accepts neither the user name and the password, nor a connection without them."
        case .invalidCredential(let error):
            "The credential for the proxy \(proxy) can't be sent. \(error.localizedDescription)"
        case .unsupportedChallenge([]):
            "The proxy \(proxy) requires authentication, but its challenge is missing or invalid."
        case .unsupportedChallenge(let schemes):
            "The proxy \(proxy) requires authentication by \(schemes.joined(separator: " or ")), but only Basic and Digest are supported."
        case .notAuthentic:
            "The proxy \(proxy) has not proved that it knows the password (rspauth; RFC 7616, section 3.5)."
        case .refused(let status): "The proxy \(proxy) refused to connect with status \(status)."
        case .notConnected(let code): "The SOCKS proxy \(proxy) could not connect: \(Self.text(code))."
        case .notSOCKS: "The proxy \(proxy) does not support SOCKS 5."
        case .unexpectedBytes: "The proxy \(proxy) has sent unexpected bytes."
        case .invalidResponse(let error): "The proxy \(proxy) has sent an invalid response. \(error)"
        case .switchedProtocol: "The proxy \(proxy) switched protocols (101) without a request for it."
        case .closed: "The proxy \(proxy) has closed the connection."
        case .noResponse(let time): "The proxy \(proxy) did not respond within \(time)."
        }
    }

    init(_ reason: ChallengeRefusal) {
        self =
            switch reason {
            case .noChallenge: .unsupportedChallenge(schemes: [])
            case .unsupportedSchemes(let names): .unsupportedChallenge(schemes: names)
            case .invalidCredential(let error): .invalidCredential(error)
            case .credentialRefused, .bodyNotRepeatable: .credentialRefused
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

extension ProxyFailure {
    /// Creates an error with the text of a proxy's error.
    init(_ proxy: ProxyAddress, _ error: ProxyError) { self.init(text: error.text(of: proxy), cause: error) }

    /// Creates the error of a handshake.
    init(_ proxy: ProxyAddress, handshakeError error: any Error) {
        if let error = error as? ProxyError {
            self.init(proxy, error)
        } else {
            self.init(proxy, connectionError: error)
        }
    }
}

/// A handler that performs a handshake on a channel, and then forwards all data.
final class ProxyHandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let promise: EventLoopPromise<(any ProxyHandshake)?>
    private var handshake: any ProxyHandshake
    private var isOver = false
    /// The timer of ``ProxyStep/waitForRest``.
    private var timer: Scheduled<Void>?

    /// Creates a handler.
    ///
    /// The promise gets the handshake if it must continue on a new connection, or `nil` if it is complete.
    init(_ handshake: any ProxyHandshake, _ promise: EventLoopPromise<(any ProxyHandshake)?>) {
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
        perform(context) { handshake throws in try handshake.receive(unwrapInboundIn(data)) }
    }

    private func perform(
        _ context: ChannelHandlerContext,
        _ event: (inout any ProxyHandshake) throws -> ProxyStep
    ) {
        guard !isOver else { return }
        do {
            switch try event(&handshake) {
            case .wait: break
            case .waitForRest: waitForRest(context)
            case .send(let bytes):
                timer?.cancel()
                timer = nil
                context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
            case .reconnect: end(.success(handshake))
            case .done: end(.success(nil))
            }
        } catch {
            end(.failure(error))
        }
    }

    private func waitForRest(_ context: ChannelHandlerContext) {
        guard timer == nil else { return }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(DroppedBodyLimits.time)) {
            self.end(.success(self.handshake))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isOver else { return context.fireErrorCaught(error) }
        if error.isEndOfConnection {
            perform(context) { handshake throws in try handshake.closed() }
        } else {
            end(.failure(error))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        perform(context) { handshake throws in try handshake.closed() }
        context.fireChannelInactive()
    }

    private func end(_ result: Result<(any ProxyHandshake)?, any Error>) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        timer = nil
        promise.completeWith(result)
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
        // A zone is of no use to the proxy.
        let host = host.withoutZone
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
            case Self.noLogin: return requestConnection()
            case Self.login:
                guard let credential else { throw ProxyError.authenticationRequired }
                var login = ByteBuffer(bytes: [1])
                Self.writeCounted(credential.user, to: &login)
                Self.writeCounted(credential.password, to: &login)
                phase = .login
                return .send(login)
            default: throw credential == nil ? ProxyError.authenticationRequired : .noAcceptableMethod
            }
        case .login:
            try take(2)
            guard second == 0 else { throw ProxyError.credentialRefused }
            return requestConnection()
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

    private mutating func requestConnection() -> ProxyStep {
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
