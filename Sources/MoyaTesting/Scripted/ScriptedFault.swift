import Foundation
import Moya

/// The cause of a `URLError` of a ``ScriptedTransport`` or a ``FaultInjector``, under `NSUnderlyingErrorKey`.
public struct ScriptedFault: Error, Hashable, Sendable {
    /// The kind of fault.
    public enum Kind: Hashable, Sendable {
        /// The connection was refused.
        case refused
        /// The host name could not be resolved.
        case dnsFailure
        /// The TLS handshake failed.
        case tlsFailure
        /// The server's certificate is untrusted.
        case untrustedCertificate
        /// The connection was reset before a response.
        case resetBeforeHead
        /// The connection was reset after the head and a number of bytes.
        case reset(afterBytes: Int)
        /// The connection was closed after the head and a number of bytes, before the end of the body.
        case truncated(at: Int)
        /// The response was not HTTP.
        case notHTTP
        /// The request failed with this code, after the server had received it.
        case error(URLError.Code)
        /// The request timed out; only used if a random choice caused it.
        case timedOut
    }

    /// The kind of fault.
    public let kind: Kind
    /// The random choice that caused the fault, if any.
    public let draw: ScriptedDraw?
}

extension ScriptedFault.Kind {
    /// The code that a real transport reports.
    var urlErrorCode: URLError.Code {
        switch self {
        case .refused: .cannotConnectToHost
        case .dnsFailure: .cannotFindHost
        case .tlsFailure: .secureConnectionFailed
        case .untrustedCertificate: .serverCertificateUntrusted
        case .resetBeforeHead, .reset, .truncated: .networkConnectionLost
        case .notHTTP: .cannotParseResponse
        case .error(let code): code
        case .timedOut: .timedOut
        }
    }

    /// Whether the fault happens before a connection is established.
    var isBeforeConnection: Bool {
        switch self {
        case .refused, .dnsFailure, .tlsFailure, .untrustedCertificate: true
        case .resetBeforeHead, .reset, .truncated, .notHTTP, .error, .timedOut: false
        }
    }
}

extension ScriptedFault: MaskedError {
    /// The kind of fault and the random choice.
    public var errorDescription: String? { "Scripted: \(kind).\(draw.map { " \($0)" } ?? "")" }

    /// Returns the error for the application.
    func error(url: URL) -> URLError {
        let plain = URLError.make(kind.urlErrorCode, url: url)
        guard let draw else { return .make(kind.urlErrorCode, url: url, cause: self) }
        return .make(kind.urlErrorCode, url: url, reason: "\(plain.localizedDescription) \(draw)", cause: self)
    }
}

extension WebSocketStep {
    /// Resets the connection, so that the client gets `URLError.networkConnectionLost`.
    public static var reset: WebSocketStep { fault(.resetBeforeHead, "reset the connection") }

    /// Ends the connection with the error of a network.
    public static func error(_ code: URLError.Code) -> WebSocketStep {
        fault(.error(code), "fail with the code \(code.rawValue)")
    }

    private static func fault(_ kind: ScriptedFault.Kind, _ name: String) -> WebSocketStep {
        WebSocketStep(.fail { ScriptedFault(kind: kind, draw: nil).error(url: $0) }, name)
    }
}
