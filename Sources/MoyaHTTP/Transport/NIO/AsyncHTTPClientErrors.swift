#if AsyncHTTPClient && !canImport(Darwin)
    import AsyncHTTPClient
    import Foundation
    import FoundationNetworking

    extension URLError {
        /// Whether it is AsyncHTTPClient's word for a connection that the server had closed.
        static func isClosedConnection(clientError error: any Error) -> Bool {
            error as? HTTPClientError == .remoteConnectionClosed
        }

        /// What AsyncHTTPClient reported; `nil` if it is no error of its.
        static func code(forClientError error: any Error) -> URLError.Code? {
            (error as? HTTPClientError).map { code(for: $0) }
        }

        private static func code(for error: HTTPClientError) -> URLError.Code {
            switch error {
            case .cancelled, .requestStreamCancelled, .alreadyShutdown:
                .cancelled
            case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .tlsHandshakeTimeout,
                .getConnectionFromPoolTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
                .timedOut
            case .remoteConnectionClosed, .uncleanShutdown:
                .networkConnectionLost
            case .invalidURL, .emptyHost, .missingSocketPath:
                .badURL
            case .emptyScheme:
                .unsupportedURL
            case .invalidProxyResponse:
                .badServerResponse
            case .proxyAuthenticationRequired:
                .userAuthenticationRequired
            case .redirectLimitReached, .redirectCycleDetected:
                .httpTooManyRedirects
            default:
                error.shortDescription == "Unsupported scheme" ? .unsupportedURL : .unknown
            }
        }
    }
#endif
