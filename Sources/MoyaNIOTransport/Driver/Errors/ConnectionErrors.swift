#if NIO && !canImport(Darwin)
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// The server switched to another protocol (RFC 9110, section 15.2.2).
struct SwitchedProtocol: TransportFailure, CustomStringConvertible {
    /// The reason why the switch is an error.
    enum Flaw: Equatable, Sendable {
        /// The request has not asked for another protocol.
        case notRequested
        /// The request has asked for another protocol by its own `Upgrade` field.
        case unsupported
        /// The server does not name the protocol that the request has asked for.
        case otherProtocol
    }

    let flaw: Flaw

    var urlErrorCode: URLError.Code { .badServerResponse }
    var reason: String? { description }
    var description: String {
        switch flaw {
        case .notRequested: "The server switched protocols (101) without a request for it."
        case .unsupported: "The server switched protocols (101), and other protocols are not supported."
        case .otherProtocol: "The server switched (101) to another protocol than the one that was requested."
        }
    }
}

extension SwitchedProtocol.Flaw {
    /// Selects the reason for a request.
    init(of message: OutboundMessage) {
        self =
            message.upgrade != nil
            ? .otherProtocol : message.headers.contains(.upgrade) ? .unsupported : .notRequested
    }
}

/// A request for an upgrade to another protocol cannot be sent over HTTP/2, because the server does not allow upgrades on streams
/// (RFC 8441, section 3), or requires HTTP/1.1 for it.
///
/// The transport then sends it over HTTP/1.1, so no caller gets the error.
struct UpgradeNotAllowed: TransportFailure, CustomStringConvertible {
    var urlErrorCode: URLError.Code { .badServerResponse }
    var reason: String? { description }
    var description: String { "The server does not allow an upgrade to another protocol over HTTP/2." }
}

extension URLError {
    /// Whether a request for an upgrade has to be sent over HTTP/1.1: ``UpgradeNotAllowed``.
    var isUpgradeNotAllowed: Bool { userInfo[NSUnderlyingErrorKey] is UpgradeNotAllowed }
}

/// The connection was closed by the server or an intermediary before any part of the response was received.
struct ConnectionClosed: ConnectionLoss, CustomStringConvertible {
    /// Whether an idempotent request may be sent again: the connection had carried another request before, so that the server
    /// may have closed it before it received this one, or the server requires HTTP/1.1.
    package var allowsResend = false
    /// The error of the layer that detected it; `nil` for the regular end of a connection.
    var cause: (any Error)?

    /// The description, if the server has named a cause.
    var reason: String? { cause is HTTP2Error ? description : nil }

    var description: String {
        "The connection was closed before the response began." + (cause.map { " (\($0))" } ?? "")
    }
}

/// The connection was closed by the server or an intermediary, or the server has ended the stream by its GOAWAY, before the response was
/// complete.
struct ResponseTruncated: TransportFailure, CustomStringConvertible {
    /// The error of the layer that detected it; `nil` for the regular end of a connection.
    var cause: (any Error)?

    var urlErrorCode: URLError.Code { .networkConnectionLost }
    var reason: String? { cause is HTTP2Error ? description : nil }
    var description: String {
        "The connection was closed before the response was complete." + (cause.map { " (\($0))" } ?? "")
    }
}

/// The lookup of a host name has not ended within the connect timeout.
struct LookupTimeout: TransportFailure, CustomStringConvertible {
    let host: String
    let time: Duration

    var urlErrorCode: URLError.Code { .timedOut }
    var reason: String? { description }
    var connectTimeout: Duration? { time }
    var description: String { "The host name \"\(host)\" was not resolved within \(time)." }
}

/// The server did not respond to a PING in time.
struct ServerUnresponsive: TransportFailure, CustomStringConvertible {
    var urlErrorCode: URLError.Code { .networkConnectionLost }
    var reason: String? { nil }
    var description: String { "The server no longer responds on the connection." }
}

/// A failure of a proxy, with a text that names the proxy.
struct ProxyFailure: TransportFailure, CustomStringConvertible {
    let text: String
    let cause: any Error

    var urlErrorCode: URLError.Code { URLError.code(forConnectionError: cause) }
    var reason: String? { text }
    var connectTimeout: Duration? { (cause as? any TransportFailure)?.connectTimeout }
    var description: String { "\(text) (\(cause))" }
}

extension ProxyFailure {
    /// Creates the error of a proxy that does not accept a connection, or whose connection has failed.
    init(_ proxy: ProxyAddress, connectionError: any Error) {
        self.init(text: "Could not connect to the proxy \(proxy).", cause: connectionError)
    }
}

/// The host and port of a proxy.
struct ProxyAddress: Equatable, Sendable, CustomStringConvertible {
    let host: String
    let port: Int

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// A host or port that cannot be connected to.
struct InvalidAddress: TransportFailure, CustomStringConvertible {
    let urlErrorCode: URLError.Code
    let description: String

    var reason: String? { description }

    init(_ code: URLError.Code, _ description: String) {
        urlErrorCode = code
        self.description = description
    }
}

/// Returns the error of a request whose connection has ended.
///
/// It does not depend on the layer that detected the end, unless that layer reported another cause.
func connectionLost(_ cause: (any Error)?, hasResponse: Bool, isReused: Bool) -> any Error {
    if let cause, !cause.isEndOfConnection { return cause }
    return hasResponse ? ResponseTruncated(cause: cause) : ConnectionClosed(allowsResend: isReused, cause: cause)
}

extension Error {
    /// Whether a connection could not be made because the process, or the system, has no file descriptors left.
    ///
    /// The resolver and TLS, which open files, report the shortage as other errors. So the property also checks whether
    /// another file could be opened.
    var isOutOfFileDescriptors: Bool {
        if isShortageOfFileDescriptors { return true }
        if self is CancellationError || self is ServerTrustError { return false }
        if URLError.code(forConnectionError: self) == .timedOut { return false }
        return FileDescriptorReserve.isExhausted
    }

    /// Whether the error, or that of one of several addresses, is `EMFILE` or `ENFILE`.
    var isShortageOfFileDescriptors: Bool {
        switch self {
        case let error as IOError: [EMFILE, ENFILE].contains(error.errnoCode)
        case let error as NIOConnectionError:
            error.connectionErrors.contains { $0.error.isShortageOfFileDescriptors }
        case let error as ProxyFailure: error.cause.isShortageOfFileDescriptors
        default: false
        }
    }

    /// Whether a TLS connection has ended without a close alert (`close_notify`; RFC 8446, section 6.1).
    var isMissingCloseNotify: Bool {
        if case .uncleanShutdown? = self as? NIOSSLError { true } else { false }
    }

    /// Whether the error of any layer means only that the connection has ended.
    package var isEndOfConnection: Bool {
        switch self {
        case let error as IOError: [ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN].contains(error.errnoCode)
        case let error as ChannelError:
            switch error {
            case .eof, .ioOnClosedChannel, .alreadyClosed, .inputClosed, .outputClosed: true
            default: false
            }
        case is NIOSSLError: isMissingCloseNotify
        case let error as BoringSSLError:
            switch error {
            case .zeroReturn, .syscallError: true
            default: false
            }
        default: false
        }
    }
}
#endif
