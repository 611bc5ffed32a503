#if NIO && !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import NIOCore
    import NIOPosix
    import NIOSSL

    extension URLError {
        /// Creates an error with the code that URLSession would use, from an error of SwiftNIO or BoringSSL.
        package init(engineError error: any Error, url: URL?) {
            self =
                (error as? URLError)
                ?? .make(
                    URLError.code(forEngineError: error),
                    url: url,
                    reason: (error as? ServerTrustError)?.localizedDescription
                        ?? (error as? TransportConfigurationError)?.localizedDescription
                        ?? (error as? any TransportFailure)?.reason,
                    cause: error
                )
        }

        package static func code(forEngineError error: any Error) -> URLError.Code {
            switch error {
            case let error as any TransportFailure: error.urlErrorCode
            case let error as ServerTrustError: error.urlErrorCode
            case is ConnectionClosed, is RequestNotProcessedError: .networkConnectionLost
            case is SwitchedProtocol: .badServerResponse
            case is TransportConfigurationError: .cannotConnectToHost
            case let error as NIOConnectionError: code(for: error)
            case let error as IOError: code(forErrno: error.errnoCode)
            case let error as ChannelError: code(for: error)
            case let error as NIOSSLError: code(for: error)
            case let error as NIOSSLExtraError:
                error == .failedToValidateHostname ? .serverCertificateUntrusted : .secureConnectionFailed
            case let error as BoringSSLError: code(for: error)
            case is CancellationError: .cancelled
            default: .unknown
            }
        }

        private static func code(for error: NIOConnectionError) -> URLError.Code {
            guard let first = error.connectionErrors.first else { return .cannotFindHost }
            let code = code(forEngineError: first.error)
            return code == .unknown || code == .networkConnectionLost ? .cannotConnectToHost : code
        }

        private static func code(forErrno code: CInt) -> URLError.Code {
            switch code {
            case ECONNREFUSED, EHOSTUNREACH, EHOSTDOWN, EADDRNOTAVAIL, ENOENT: .cannotConnectToHost
            case ENETUNREACH, ENETDOWN: .notConnectedToInternet
            case ETIMEDOUT: .timedOut
            case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN: .networkConnectionLost
            case ECANCELED: .cancelled
            default: .unknown
            }
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
            case .sslError(let stack):
                code(forStack: stack.map { "\($0)" })
            case .zeroReturn:
                .networkConnectionLost
            default:
                .secureConnectionFailed
            }
        }

        /// Returns the code for BoringSSL's error texts, which are the only indication of the reason.
        ///
        /// They do not include the specific problem of a certificate chain.
        private static func code(forStack texts: [String]) -> URLError.Code {
            func says(_ parts: String...) -> Bool { texts.contains { text in parts.contains { text.contains($0) } } }
            if says("CERTIFICATE_VERIFY_FAILED") { return .serverCertificateUntrusted }
            // Alerts about the client's certificate (RFC 8446, section 6.2).
            if says("ALERT_CERTIFICATE_REQUIRED") { return .clientCertificateRequired }
            if says(
                "ALERT_UNKNOWN_CA",
                "ALERT_BAD_CERTIFICATE",
                "ALERT_CERTIFICATE_",
                "ALERT_UNSUPPORTED_CERTIFICATE",
                "ALERT_ACCESS_DENIED"
            ) {
                return .clientCertificateRejected
            }
            return .secureConnectionFailed
        }
    }
#endif
