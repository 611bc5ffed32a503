#if NIO && !canImport(Darwin)
import Foundation
import NIOCore

/// An error of an HTTP/2 stream or connection (RFC 9113, section 5.4).
struct HTTP2Error: TransportFailure, Equatable, CustomStringConvertible {
    enum Scope: Sendable { case stream, connection }
    enum Side: Sendable { case client, server }

    let scope: Scope
    let code: HTTP2ErrorCode
    /// The side that ended the stream or the connection.
    ///
    /// The client does so because of invalid data from the server.
    let endedBy: Side
    let text: String

    /// Creates a connection error caused by the server's data.
    static func connection(_ code: HTTP2ErrorCode, _ reason: String) -> HTTP2Error {
        HTTP2Error(scope: .connection, code: code, endedBy: .client, text: reason)
    }

    /// The error for a server that selected HTTP/2 in the TLS handshake (ALPN, RFC 7301), and speaks HTTP/1.1.
    static let http1 = HTTP2Error.connection(
        .protocolError,
        "The server selected HTTP/2 in the TLS handshake (ALPN), but speaks HTTP/1.1."
            + " TransportConfiguration.httpVersion = .http1Only avoids HTTP/2."
    )

    /// Creates a stream error caused by the server's data.
    static func stream(_ code: HTTP2ErrorCode, _ reason: String) -> HTTP2Error {
        HTTP2Error(scope: .stream, code: code, endedBy: .client, text: reason)
    }

    /// Creates the error for a stream that the server has reset.
    static func reset(_ code: HTTP2ErrorCode) -> HTTP2Error {
        HTTP2Error(scope: .stream, code: code, endedBy: .server, text: "The server has reset the stream.")
    }

    /// Creates the error for a connection on which the server accepts no more requests.
    ///
    /// The text quotes the debug data without control characters, and with secrets masked (RFC 9113, section 6.8).
    static func goAway(_ code: HTTP2ErrorCode, debugData: ByteBuffer) -> HTTP2Error {
        let text = String(
            String(decoding: debugData.readableBytesView, as: UTF8.self).unicodeScalars
                .map { $0.properties.generalCategory == .control ? " " : Character($0) }
        )
        return HTTP2Error(
            scope: .connection,
            code: code,
            endedBy: .server,
            text: "The server has ended the connection"
                + (text.isEmpty ? "." : ": \"\(SecretMask.standard.maskingQuotation(text))\"")
        )
    }

    /// The code for invalid or excessive data from the server, or for a stream or connection that the server
    /// has ended.
    var urlErrorCode: URLError.Code {
        switch (endedBy, code) {
        case (.server, _): .networkConnectionLost
        case (.client, _): .cannotParseResponse
        }
    }

    /// Whether the server has not processed the request (RFC 9113, section 8.7).
    var isRefusal: Bool {
        endedBy == .server && scope == .stream && (code == .refusedStream || code == .http11Required)
    }

    /// Whether the server requires HTTP/1.1 for the request (section 7), which it has not processed.
    var isHTTP1Required: Bool { endedBy == .server && code == .http11Required }

    var reason: String? { description }

    var description: String { "\(text) (HTTP/2 \(code))" }
}

/// An error code (RFC 9113, section 7).
///
/// Unknown codes are kept.
struct HTTP2ErrorCode: RawRepresentable, Equatable, Sendable, CustomStringConvertible {
    let rawValue: UInt32

    static let noError = HTTP2ErrorCode(rawValue: 0)
    static let protocolError = HTTP2ErrorCode(rawValue: 1)
    static let internalError = HTTP2ErrorCode(rawValue: 2)
    static let flowControlError = HTTP2ErrorCode(rawValue: 3)
    static let streamClosed = HTTP2ErrorCode(rawValue: 5)
    static let frameSizeError = HTTP2ErrorCode(rawValue: 6)
    static let refusedStream = HTTP2ErrorCode(rawValue: 7)
    static let cancel = HTTP2ErrorCode(rawValue: 8)
    static let compressionError = HTTP2ErrorCode(rawValue: 9)
    static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 11)
    static let http11Required = HTTP2ErrorCode(rawValue: 13)

    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    /// The name of the code in the RFC, or its number.
    var description: String {
        rawValue < Self.names.count ? Self.names[Int(rawValue)] : "0x\(String(rawValue, radix: 16))"
    }
}

/// An error for a request whose head or trailers cannot be sent over HTTP/2.
///
/// It is not sent again, because other connections would probably fail, too.
enum HTTP2RequestError: TransportFailure, Equatable, CustomStringConvertible {
    /// The head exceeds the server's limit (SETTINGS_MAX_HEADER_LIST_SIZE), and nothing has been sent.
    case headTooLarge(size: Int, maximum: Int)
    /// The trailers exceed the same limit, and the body has been sent.
    case trailersTooLarge(size: Int, maximum: Int)
    /// The encoder does not accept the head or the trailers.
    case encodingFailed

    var urlErrorCode: URLError.Code {
        switch self {
        case .headTooLarge, .trailersTooLarge: .dataLengthExceedsMaximum
        case .encodingFailed: .unknown
        }
    }

    var reason: String? { description }

    var description: String {
        switch self {
        case .headTooLarge(let size, let maximum):
            "The request's header section has \(size) bytes, but the server accepts at most \(maximum)."
        case .trailersTooLarge(let size, let maximum):
            "The request's trailers have \(size) bytes, but the server accepts at most \(maximum)."
        case .encodingFailed: "The request's header section cannot be encoded."
        }
    }
}
#endif
