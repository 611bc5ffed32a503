import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport
@testable import MoyaURLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private struct ForeignError: Error, Equatable { let number: Int }

@Suite("The errors of URLSession are converted")
struct URLSessionErrorTests {
    private static func url() throws -> URL { try #require(URL(string: "http://user:secret@h/p")) }

    @Test(
        "a specific error code of URLSession is kept",
        arguments: [
            URLError.Code.timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost,
            .notConnectedToInternet, .secureConnectionFailed, .serverCertificateUntrusted, .httpTooManyRedirects,
            .badServerResponse, .cannotParseResponse, .unsupportedURL, .unknown,
        ]
    )
    func codes(_ code: URLError.Code) throws {
        let error = URLError(urlSessionError: URLError(code), url: try Self.url())
        #expect(error.code == code)
        #expect((error.userInfo[NSUnderlyingErrorKey] as? URLError)?.code == code)
        #expect(error.failingURL?.absoluteString == "http://h/p")
    }

    @Test("an NSError of NSURLErrorDomain becomes a URLError, and another error becomes unknown and keeps its cause")
    func foreign() throws {
        let timedOut = NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut)
        #expect(URLError(urlSessionError: timedOut, url: nil).code == .timedOut)
        let posix = NSError(domain: NSPOSIXErrorDomain, code: NSURLErrorTimedOut)
        #expect(URLError(urlSessionError: posix, url: nil).code == .unknown)
        let refused = NSError(domain: NSPOSIXErrorDomain, code: Int(ECONNREFUSED))
        #expect(URLError(urlSessionError: refused, url: nil).code == .cannotConnectToHost)
        let error = URLError(urlSessionError: ForeignError(number: 7), url: nil)
        #expect(error.code == .unknown)
        #expect(error.userInfo[NSUnderlyingErrorKey] as? ForeignError == ForeignError(number: 7))
    }

    @Test("no text of URLSession's error shows user name and password, even if URLSession repeats the URL")
    func credentials() throws {
        let url = try Self.url()
        // The second key is the deprecated one that URLSession still sets.
        let info: [String: Any] = [
            NSURLErrorFailingURLErrorKey: url, "NSErrorFailingURLStringKey": url.absoluteString,
        ]
        let error = URLError(urlSessionError: URLError(.timedOut, userInfo: info), url: url)
        for text in ["\(error)", String(reflecting: error), error.localizedDescription, "\(error as NSError)"] {
            #expect(!text.contains("secret"))
        }
    }

    #if canImport(FoundationNetworking)
    @Test(
        "libcurl's text replaces a misleading code of Foundation on Linux",
        arguments: [
            (URLError.Code.badServerResponse, "Empty reply from server", URLError.Code.networkConnectionLost),
            (.badServerResponse, "The operation could not be completed", .badServerResponse),
            (.unknown, "transfer closed with 12 bytes remaining to read", .networkConnectionLost),
            (.unknown, "transfer closed with outstanding read data remaining", .networkConnectionLost),
            (.unknown, "Recv failure: Connection reset by peer", .networkConnectionLost),
            (.unknown, "Send failure: Broken pipe", .networkConnectionLost),
            (.unknown, "OpenSSL SSL_read: Connection reset by peer, errno 104", .networkConnectionLost),
            (.unknown, "Out of memory", .cannotParseResponse),
            (.unknown, "Too large response headers: 307203 > 307200", .cannotParseResponse),
            (.unknown, "Invalid status line, no header", .cannotParseResponse),
            (
                .unknown, "Error while processing content unencoding: incorrect data check",
                .cannotDecodeContentData
            ),
            (.unknown, "something else", .unknown),
            (.unsupportedURL, "Received HTTP/0.9 when not allowed", .cannotParseResponse),
            (.unsupportedURL, "Unsupported HTTP version in response", .cannotParseResponse),
            (.unsupportedURL, "unsupported URL", .unsupportedURL),
            // The text alone does not replace a correct code.
            (.timedOut, "Recv failure: Connection reset by peer", .timedOut),
        ]
    )
    func libcurl(_ code: URLError.Code, text: String, result: URLError.Code) {
        #expect(
            URLSessionErrorCode.code(domain: NSURLErrorDomain, number: code.rawValue, text: text, system: .other)
                == result
        )
        let cause = URLError(code, userInfo: [NSLocalizedDescriptionKey: text])
        #expect(URLError(urlSessionError: cause, url: nil).code == result)
    }
    #endif
}

#if NIO && !canImport(Darwin)
import NIOCore
import NIOPosix
import NIOSSL

@Suite("The errors of SwiftNIO are converted")
struct NIOErrorTests {
    /// Errors with the same code.
    struct Row: Sendable, CustomTestStringConvertible {
        let code: URLError.Code
        let errors: [any Error]

        init(_ code: URLError.Code, _ errors: any Error...) {
            self.code = code
            self.errors = errors
        }

        var testDescription: String { "\(code.rawValue): \(errors)" }
    }

    private static func errno(_ codes: CInt...) -> [any Error] {
        codes.map { IOError(errnoCode: $0, reason: "test") }
    }

    /// Errors of the library and the language.
    static let own: [Row] = [
        Row(.cancelled, CancellationError()),
        Row(.networkConnectionLost, ConnectionClosed()),
        Row(.badServerResponse, SwitchedProtocol(flaw: .notRequested)),
        Row(.serverCertificateUntrusted, ServerTrustError(host: "h", reason: .noEvaluator)),
        Row(.unknown, ForeignError(number: 1)),
    ]

    static let system: [Row] = [
        Row(.timedOut, ChannelError.connectTimeout(.seconds(1))),
        Row(.networkConnectionLost, ChannelError.eof, ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed),
        Row(.networkConnectionLost, ChannelError.inputClosed, ChannelError.outputClosed),
        Row(.unknown, ChannelError.operationUnsupported),
    ]

    /// The codes for the error numbers of connect(2), send(2) and recv(2).
    static let numbers: [(URLError.Code, [any Error])] = [
        (.cannotConnectToHost, errno(ECONNREFUSED, EHOSTUNREACH, EHOSTDOWN, EADDRNOTAVAIL, ENOENT, EMFILE, ENFILE)),
        (.notConnectedToInternet, errno(ENETUNREACH, ENETDOWN)),
        (.timedOut, errno(ETIMEDOUT)),
        (.networkConnectionLost, errno(ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN)),
        (.cancelled, errno(ECANCELED)),
        (.unknown, errno(EINVAL)),
    ]

    static let security: [Row] = [
        Row(.serverCertificateUntrusted, NIOSSLError.unableToValidateCertificate),
        Row(.serverCertificateUntrusted, NIOSSLExtraError.failedToValidateHostname),
        Row(.secureConnectionFailed, NIOSSLExtraError.serverHostnameImpossibleToMatch),
        Row(.secureConnectionFailed, NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake]))),
        Row(.secureConnectionFailed, NIOSSLError.noCertificateToValidate, BoringSSLError.sslError([])),
        Row(.secureConnectionFailed, BoringSSLError.syscallError, NIOSSLError.handshakeFailed(.syscallError)),
        Row(.networkConnectionLost, NIOSSLError.uncleanShutdown, BoringSSLError.zeroReturn),
    ]

    @Test(
        "each error of channels and TLS has a URLError code",
        arguments: own + system + security
    )
    func code(_ row: Row) { Self.check(row.errors, row.code) }

    @Test("each errno of SwiftNIO has a URLError code", arguments: numbers)
    func codeOfNumber(_ code: URLError.Code, errors: [any Error]) { Self.check(errors, code) }

    static func check(
        _ errors: [any Error],
        _ code: URLError.Code,
        _ make: (any Error, URL?) -> URLError = { URLError(connectionError: $0, url: $1) }
    ) {
        for cause in errors {
            let error = make(cause, URL(string: "http://user:secret@h/p"))
            #expect(error.code == code, "\(cause)")
            let underlying = error.userInfo[NSUnderlyingErrorKey] as? any Error
            #expect(underlying.map { "\($0)" } == "\(cause)")
            #expect(error.failingURL?.absoluteString == "http://h/p")
            #expect(!"\(error)".contains("secret"))
        }
    }

    @Test("a URLError of a session's check stays unchanged in SwiftNIO's errors")
    func passing() {
        let error = URLError(connectionError: URLError.cancelled(url: nil), url: URL(string: "http://h"))
        #expect(error == URLError.cancelled(url: nil))
        #expect(error.failingURL == nil)
    }

    @Test(
        "SwiftNIO's error for a reused connection that the server may have closed differs from other errors",
        arguments: [
            (ConnectionClosed(allowsResend: true), true), (ConnectionClosed(allowsResend: false), false),
            (IOError(errnoCode: ECONNRESET, reason: ""), true),
            (IOError(errnoCode: ECONNREFUSED, reason: ""), false), (ChannelError.ioOnClosedChannel, true),
            (CancellationError(), false),
            (ResponseTruncated(), false), (RequestNotProcessedError(), false),
        ] as [(any Error, Bool)]
    )
    func reusedConnection(_ cause: any Error, isReused: Bool) {
        #expect(URLError(connectionError: cause, url: nil).allowsResend == isReused)
        #expect(!URLError(.networkConnectionLost).allowsResend)
    }
}
#endif

#if AsyncHTTPClient && !canImport(Darwin)
import AsyncHTTPClient
import NIOHTTP1
import NIOHTTP2

@testable import MoyaAsyncHTTPClient

@Suite("The errors of AsyncHTTPClient are converted")
struct AsyncHTTPClientErrorTests {
    typealias Row = NIOErrorTests.Row

    private static func wrapped(_ error: any Error) -> any Error {
        NIOHTTP2Errors.streamError(streamID: 1, baseError: error)
    }

    static let client: [Row] = [
        Row(.cancelled, HTTPClientError.cancelled, HTTPClientError.requestStreamCancelled),
        Row(.cancelled, HTTPClientError.alreadyShutdown, CancellationError()),
        Row(.timedOut, HTTPClientError.connectTimeout, HTTPClientError.readTimeout, HTTPClientError.writeTimeout),
        Row(.timedOut, HTTPClientError.deadlineExceeded, HTTPClientError.tlsHandshakeTimeout),
        Row(.timedOut, HTTPClientError.getConnectionFromPoolTimeout, HTTPClientError.socksHandshakeTimeout),
        Row(.timedOut, HTTPClientError.httpProxyHandshakeTimeout),
        Row(.networkConnectionLost, HTTPClientError.remoteConnectionClosed, HTTPClientError.uncleanShutdown),
        Row(.networkConnectionLost, ConnectionClosed()),
        Row(.badURL, HTTPClientError.invalidURL, HTTPClientError.emptyHost, HTTPClientError.missingSocketPath),
        Row(.unsupportedURL, HTTPClientError.emptyScheme, HTTPClientError.unsupportedScheme("ftp")),
        Row(.badServerResponse, HTTPClientError.invalidProxyResponse, SwitchedProtocol(flaw: .notRequested)),
        Row(.userAuthenticationRequired, HTTPClientError.proxyAuthenticationRequired),
        Row(.serverCertificateUntrusted, ServerTrustError(host: "h", reason: .noEvaluator)),
        Row(.httpTooManyRedirects, HTTPClientError.redirectLimitReached, HTTPClientError.redirectCycleDetected),
        Row(.unknown, HTTPClientError.bodyLengthMismatch, ForeignError(number: 1)),
    ]

    static let message: [Row] = [
        Row(.networkConnectionLost, HTTPParserError.invalidEOFState),
        Row(.cannotParseResponse, HTTPParserError.headerOverflow, HTTPParserError.invalidVersion),
        Row(.cannotParseResponse, HTTPParserError.invalidStatus, HTTPParserError.invalidHeaderToken),
        Row(.cannotParseResponse, HTTPParserError.invalidContentLength, HTTPParserError.unexpectedContentLength),
        Row(.cannotParseResponse, HTTPParserError.invalidChunkSize, HTTPParserError.invalidConstant),
        Row(.cannotParseResponse, HTTPParserError.unknown),
    ]

    /// RFC 9113, sections 5.4 and 6.8: a stream or connection that the server ends; then invalid HTTP/2.
    static let http2: [Row] = [
        Row(.networkConnectionLost, NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .internalError)),
        Row(.networkConnectionLost, NIOHTTP2Errors.ioOnClosedConnection()),
        Row(.networkConnectionLost, wrapped(NIOHTTP2Errors.ioOnClosedConnection())),
        Row(.cannotParseResponse, wrapped(NIOHTTP2Errors.invalidStatusValue("x"))),
        Row(.networkConnectionLost, NIOHTTP2Errors.createdStreamAfterGoaway()),
        Row(.cannotParseResponse, NIOHTTP2Errors.unableToParseFrame(), NIOHTTP2Errors.badClientMagic()),
        Row(.cannotParseResponse, NIOHTTP2Errors.invalidStatusValue("x"), NIOHTTP2Errors.missingPreface()),
    ]

    @Test(
        "each error of AsyncHTTPClient, its parser and HTTP/2 has a URLError code",
        arguments: client + message + http2
    )
    func code(_ row: Row) { NIOErrorTests.check(row.errors, row.code) { URLError(clientError: $0, url: $1) } }

    @Test(
        "each error of AsyncHTTPClient's lower layers has a URLError code",
        arguments: NIOErrorTests.own + NIOErrorTests.system + NIOErrorTests.security
    )
    func codeBelow(_ row: Row) { NIOErrorTests.check(row.errors, row.code) { URLError(clientError: $0, url: $1) } }

    @Test(
        "AsyncHTTPClient's error for a reused connection that the server may have closed differs from other errors",
        arguments: [
            (HTTPClientError.remoteConnectionClosed, true), (IOError(errnoCode: ECONNRESET, reason: ""), true),
            (HTTPClientError.readTimeout, false), (HTTPClientError.uncleanShutdown, false),
        ] as [(any Error, Bool)]
    )
    func reusedConnection(_ cause: any Error, isReused: Bool) {
        #expect(URLError(clientError: cause, url: nil).allowsResend == isReused)
    }
}
#endif
