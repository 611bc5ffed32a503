#if NIO && !canImport(Darwin)
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

extension URLError {
    /// Creates an error with the code that URLSession would use, from an error of SwiftNIO or BoringSSL.
    package init(connectionError error: any Error, url: URL?) {
        self =
            (error as? URLError)
            ?? .make(
                URLError.code(forConnectionError: error),
                url: url,
                reason: (error as? ServerTrustError)?.localizedDescription
                    ?? (error as? TransportConfigurationError)?.localizedDescription
                    ?? (error as? HostResolutionError)?.localizedDescription
                    ?? (error as? any TransportFailure)?.reason
                    ?? (error as? RequestNotProcessedError)?.reason ?? (error as? ConnectionClosed)?.reason
                    ?? (error.isShortageOfFileDescriptors ? "The process may open no more files." : nil)
                        ?? TLSFailure(error)?.reason,
                cause: (error as? TLSHandshakeError)?.cause ?? error
            ).adding(URLError.connectTimeout(in: error))
    }

    /// Returns the timeout for an error of a connection that was not established within ``TransportConfiguration/connectTimeout``.
    private static func connectTimeout(in error: any Error) -> RequestTimeoutError? {
        let limit: Duration? =
            if case ChannelError.connectTimeout(let time) = error {
                .nanoseconds(time.nanoseconds)
            } else {
                (error as? any TransportFailure)?.connectTimeout
            }
        return limit.map { RequestTimeoutError(kind: .connect, limit: $0) }
    }

    package static func code(forConnectionError error: any Error) -> URLError.Code {
        switch error {
        case let error as any TransportFailure: error.urlErrorCode
        case let error as ServerTrustError: error.urlErrorCode
        case is ConnectionClosed, is RequestNotProcessedError: .networkConnectionLost
        case is TransportConfigurationError: .cannotConnectToHost
        case is HostResolutionError: .cannotFindHost
        case let error as NIOConnectionError: code(for: error)
        case let error as IOError: SocketFailure(errno: error.errnoCode)?.urlErrorCode ?? .unknown
        case let error as ChannelError: code(for: error)
        case let error as NIOSSLError: TLSFailure(error)?.urlErrorCode ?? code(for: error)
        case let error as NIOSSLExtraError:
            error == .failedToValidateHostname ? .serverCertificateUntrusted : .secureConnectionFailed
        case let error as BoringSSLError: TLSFailure(error)?.urlErrorCode ?? code(for: error)
        case is CancellationError: .cancelled
        default: .unknown
        }
    }

    private static func code(for error: NIOConnectionError) -> URLError.Code {
        guard let first = error.connectionErrors.first else { return .cannotFindHost }
        let code = code(forConnectionError: first.error)
        return code == .unknown || code == .networkConnectionLost ? .cannotConnectToHost : code
    }

    private static func code(for error: ChannelError) -> URLError.Code {
        switch error {
        case .connectTimeout: .timedOut
        case .eof, .ioOnClosedChannel, .alreadyClosed, .inputClosed, .outputClosed: .networkConnectionLost
        default: .unknown
        }
    }

    private static func code(for error: NIOSSLError) -> URLError.Code {
        switch error {
        case .handshakeFailed(let reason): code(for: reason)
        case .unableToValidateCertificate: .serverCertificateUntrusted
        case .uncleanShutdown: .networkConnectionLost
        default: .secureConnectionFailed
        }
    }

    private static func code(for error: BoringSSLError) -> URLError.Code {
        switch error {
        // BoringSSL does not report the reason why a certificate is rejected.
        case .sslError(let stack) where stack.contains(where: { "\($0)".contains("CERTIFICATE_VERIFY_FAILED") }):
            .serverCertificateUntrusted
        case .zeroReturn:
            .networkConnectionLost
        default:
            .secureConnectionFailed
        }
    }
}
#endif
