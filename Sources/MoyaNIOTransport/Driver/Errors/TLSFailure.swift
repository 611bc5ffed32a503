#if NIO && !canImport(Darwin)
import Foundation
import NIOSSL

/// A failure of TLS that is not about the server's certificate, as far as it can be told from BoringSSL's error.
enum TLSFailure: CaseIterable, Equatable, Sendable {
    /// The server's first bytes are not a TLS record.
    case notTLS
    case noCommonVersion
    /// The server has not accepted the client's offer of cipher suites, groups and signature algorithms.
    case noCommonCipher
    case noCommonProtocol
    /// The server does not know the host name.
    case unknownHost
    case closedInHandshake
    /// Bytes that are not a valid TLS record have arrived after the handshake.
    case invalidRecord
    case clientCertificateRequired
    case clientCertificateRejected
    /// The server has requested a renegotiation, which the configuration does not allow.
    case renegotiation

    /// BoringSSL's error texts, which are the only indication of the failure.
    ///
    /// The alerts are those that a server sends (RFC 8446, section 6.2). The first text that matches counts.
    private static let texts: [(part: String, failure: TLSFailure)] = [
        ("WRONG_VERSION_NUMBER", .notTLS),
        ("ALERT_PROTOCOL_VERSION", .noCommonVersion), ("UNSUPPORTED_PROTOCOL", .noCommonVersion),
        ("ALERT_HANDSHAKE_FAILURE", .noCommonCipher), ("ALERT_INSUFFICIENT_SECURITY", .noCommonCipher),
        ("WRONG_CIPHER_RETURNED", .noCommonCipher), ("WRONG_CURVE", .noCommonCipher),
        ("WRONG_SIGNATURE_TYPE", .noCommonCipher),
        ("ALERT_NO_APPLICATION_PROTOCOL", .noCommonProtocol), ("ALERT_UNRECOGNIZED_NAME", .unknownHost),
        ("ALERT_CERTIFICATE_REQUIRED", .clientCertificateRequired),
        ("ALERT_UNKNOWN_CA", .clientCertificateRejected), ("ALERT_BAD_CERTIFICATE", .clientCertificateRejected),
        ("ALERT_CERTIFICATE_", .clientCertificateRejected),
        ("ALERT_UNSUPPORTED_CERTIFICATE", .clientCertificateRejected),
        ("ALERT_ACCESS_DENIED", .clientCertificateRejected),
        ("NO_COMMON_SIGNATURE_ALGORITHMS", .clientCertificateRejected),
        ("SSL routines:OPENSSL_internal:NO_RENEGOTIATION", .renegotiation),
        ("EOF during handshake", .closedInHandshake),
    ]

    /// BoringSSL's error texts for an invalid record (RFC 8446, sections 5.1 to 5.4).
    private static let recordTexts = [
        "WRONG_VERSION_NUMBER", "DECRYPTION_FAILED_OR_BAD_RECORD_MAC", "BAD_DECRYPT", "UNEXPECTED_RECORD",
        "INVALID_OUTER_RECORD_TYPE", "ENCRYPTED_LENGTH_TOO_LONG", "DATA_LENGTH_TOO_LONG", "HTTP_REQUEST",
        "HTTPS_PROXY_REQUEST",
    ]

    /// Returns the failure after the handshake for the texts of BoringSSL's error stack; `nil` for another one.
    init?(stackAfterHandshake stack: [String]) {
        guard !stack.contains(where: { text in Self.recordTexts.contains { text.contains(":\($0)") } }) else {
            self = .invalidRecord
            return
        }
        self.init(stack: stack)
        // After the handshake, as in a renegotiation, the general alert is about the client's certificate.
        if self == .noCommonCipher { self = .clientCertificateRequired }
    }

    /// Returns the failure for the texts of BoringSSL's error stack; `nil` for another one.
    init?(stack: [String]) {
        guard let found = Self.texts.first(where: { row in stack.contains { $0.contains(row.part) } }) else {
            return nil
        }
        self = found.failure
    }

    /// Returns the failure for an error of NIOSSL; `nil` for another one.
    init?(_ error: any Error) {
        switch error {
        case NIOSSLError.handshakeFailed(.sslError(let stack)):
            self.init(stack: stack.map { "\($0)" })
        case BoringSSLError.sslError(let stack):
            self.init(stackAfterHandshake: stack.map { "\($0)" })
        default:
            return nil
        }
    }

    var urlErrorCode: URLError.Code {
        switch self {
        case .notTLS, .noCommonVersion, .noCommonCipher, .noCommonProtocol, .unknownHost, .closedInHandshake,
            .invalidRecord, .renegotiation:
            .secureConnectionFailed
        case .clientCertificateRequired: .clientCertificateRequired
        case .clientCertificateRejected: .clientCertificateRejected
        }
    }

    /// The localized description of the `URLError`; `nil` for the default text of its code.
    var reason: String? {
        switch self {
        case .notTLS:
            "The server does not speak TLS on this port. It may be a port for plain HTTP."
        case .noCommonVersion:
            "The server and the client have no version of TLS in common. The client's oldest is"
                + " TransportConfiguration.minimumTLSVersion, which is 1.2 by default."
        case .noCommonCipher:
            "The server and the client have no cipher suite, group or signature algorithm of TLS in common."
        case .noCommonProtocol:
            "The server and the client have no version of HTTP in common (ALPN)."
        case .unknownHost:
            "The server does not know the host name (TLS alert unrecognized_name)."
        case .closedInHandshake:
            "The server closed the connection during the TLS handshake."
        case .invalidRecord:
            "The TLS connection failed after the handshake: the server, or an intermediary, sent bytes that are not a"
                + " valid TLS record."
        case .clientCertificateRequired:
            "The server requires a client certificate: see TransportConfiguration.clientIdentity."
        case .clientCertificateRejected:
            nil
        case .renegotiation:
            "The server requested a TLS renegotiation, usually for a client certificate."
                + " TransportConfiguration.allowsRenegotiation allows one for each connection."
        }
    }
}

/// A failure of a TLS handshake that depends on more than BoringSSL's error.
struct TLSHandshakeError: TransportFailure, CustomStringConvertible {
    let failure: TLSFailure
    /// The error of NIOSSL.
    let cause: any Error

    /// Creates the error for a failure after the server has presented its certificate, if the failure has another meaning
    /// then.
    ///
    /// Cipher suites and groups have been agreed. So the general alert is about the client's certificate: TLS 1.2 has no
    /// other alert for a missing one (RFC 5246, section 7.4.6).
    init?(afterServerCertificate error: any Error, hasIdentity: Bool) {
        guard case NIOSSLError.handshakeFailed(.sslError(let stack)) = error,
            stack.contains(where: { "\($0)".contains("ALERT_HANDSHAKE_FAILURE") })
        else { return nil }
        failure = hasIdentity ? .clientCertificateRejected : .clientCertificateRequired
        cause = error
    }

    var urlErrorCode: URLError.Code { failure.urlErrorCode }
    var reason: String? { failure.reason }
    var description: String { "\(cause)" }
}
#endif
