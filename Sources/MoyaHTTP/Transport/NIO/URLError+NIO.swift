#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2
    import NIOHTTPCompression
    import NIOPosix
    import NIOSSL

    extension URLError {
        /// Creates an error with the code that URLSession would use, from an error of NIO, BoringSSL or
        /// AsyncHTTPClient.
        init(engineError error: any Error, url: URL?) {
            // AsyncHTTPClient's error for a refused stream.
            let isRefusal = (error as? NIOHTTP2Errors.StreamClosed)?.errorCode == .refusedStream
            self =
                (error as? URLError)
                ?? .exchange(
                    URLError.code(forEngineError: error),
                    url: url,
                    reason: (error as? ServerTrustError)?.localizedDescription
                        ?? (error as? any TransportFailure)?.reason,
                    cause: isRefusal ? RequestNotProcessedError(cause: error) : error
                )
        }

        /// Creates an error as above; if the engine rejected the server, the error includes the rule.
        init(engineError error: any Error, url: URL, rule: ServerTrustRule?) {
            let plain = URLError(engineError: error, url: url)
            guard let rule, rule.pattern != nil, plain.serverTrustError == nil, plain.code.isServerCertificate else {
                self = plain
                return
            }
            let refusal = rule.refusal(of: url.host ?? "", .notTrusted("\(error)"), cause: error)
            self = .exchange(plain.code, url: url, reason: refusal.localizedDescription, cause: refusal)
        }

        static func code(forEngineError error: any Error) -> URLError.Code {
            switch error {
            case let error as any TransportFailure: error.urlErrorCode
            case is ServerTrustError: .serverCertificateUntrusted
            case is ConnectionClosed, is RequestNotProcessedError: .networkConnectionLost
            case is SwitchedProtocol: .badServerResponse
            case let error as NIOConnectionError: code(for: error)
            case let error as IOError: code(forErrno: error.errnoCode)
            case let error as ChannelError: code(for: error)
            case HTTPParserError.invalidEOFState: .networkConnectionLost
            case is HTTPParserError: .cannotParseResponse
            case let error as NIOSSLError: code(for: error)
            case let error as NIOSSLExtraError:
                error == .failedToValidateHostname ? .serverCertificateUntrusted : .secureConnectionFailed
            case let error as BoringSSLError: code(for: error)
            case is CancellationError: .cancelled
            case let error as NIOHTTP2Errors.StreamError: code(forEngineError: error.baseError)
            case let error as any NIOHTTP2Error: code(for: error)
            case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
                .cannotDecodeContentData
            default: code(forClientError: error) ?? code(forTypeNamed: String(reflecting: type(of: error)))
            }
        }

        /// Errors of AsyncHTTPClient: the various types of NIOSOCKS, and a private type for a proxy that closes the
        /// connection during its handshake.
        private static func code(forTypeNamed name: String) -> URLError.Code {
            if name.hasPrefix("NIOSOCKS.") { return .cannotConnectToHost }
            if name.hasPrefix("AsyncHTTPClient."), name.hasSuffix(".NoResult") { return .networkConnectionLost }
            return .unknown
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

        /// RFC 9113, section 5.4: other errors than a closed stream or connection are protocol errors.
        private static func code(for error: any NIOHTTP2Error) -> URLError.Code {
            switch error {
            case is NIOHTTP2Errors.StreamClosed, is NIOHTTP2Errors.IOOnClosedConnection,
                is NIOHTTP2Errors.CreatedStreamAfterGoaway:
                .networkConnectionLost
            default: .cannotParseResponse
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

    extension URLError.Code {
        fileprivate var isServerCertificate: Bool {
            [
                .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
                .serverCertificateHasUnknownRoot,
            ].contains(self)
        }
    }
#endif
