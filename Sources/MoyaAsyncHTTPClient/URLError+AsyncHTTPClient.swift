#if AsyncHTTPClient && !canImport(Darwin)
import AsyncHTTPClient
import Foundation
import FoundationNetworking
import MoyaHTTP
import NIOHTTP1
import NIOHTTP2

extension URLError {
    /// Converts an error of AsyncHTTPClient or of a layer below it to an error with the code that URLSession would use.
    init(clientError error: any Error, url: URL?) {
        if let error = error as? URLError {
            self = error
        } else if let code = Self.code(forClientError: error) {
            let isRefusal = (error as? NIOHTTP2Errors.StreamClosed)?.errorCode == .refusedStream
            self = .make(code, url: url, cause: isRefusal ? RequestNotProcessedError(cause: error) : error)
        } else {
            self.init(connectionError: error, url: url)
        }
    }

    /// Returns the code for an error of AsyncHTTPClient or of SwiftNIO's HTTP modules; `nil` for other errors.
    private static func code(forClientError error: any Error) -> URLError.Code? {
        switch error {
        case let error as HTTPClientError: code(for: error)
        case HTTPParserError.invalidEOFState: .networkConnectionLost
        case is HTTPParserError: .cannotParseResponse
        case let error as NIOHTTP2Errors.StreamError:
            code(forClientError: error.baseError) ?? code(forConnectionError: error.baseError)
        case let error as any NIOHTTP2Error: code(for: error)
        default: code(forTypeNamed: String(reflecting: type(of: error)))
        }
    }

    /// Returns the code for an error type of NIOSOCKS, and for the private type that AsyncHTTPClient throws if a proxy closes the
    /// connection during the proxy's handshake.
    private static func code(forTypeNamed name: String) -> URLError.Code? {
        if name.hasPrefix("NIOSOCKS.") { return .cannotConnectToHost }
        if name.hasPrefix("AsyncHTTPClient."), name.hasSuffix(".NoResult") { return .networkConnectionLost }
        return nil
    }

    /// Returns the code for an HTTP/2 error.
    ///
    /// All errors except closed streams and connections are protocol errors (RFC 9113, section 5.4).
    private static func code(for error: any NIOHTTP2Error) -> URLError.Code {
        switch error {
        case is NIOHTTP2Errors.StreamClosed, is NIOHTTP2Errors.IOOnClosedConnection,
            is NIOHTTP2Errors.CreatedStreamAfterGoaway:
            .networkConnectionLost
        default: .cannotParseResponse
        }
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

extension HTTPClientError: ConnectionLoss {
    // The client does not report whether the connection was reused, so each lost connection counts as a reused one.
    package var allowsResend: Bool { self == .remoteConnectionClosed }
}
#endif
