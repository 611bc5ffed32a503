import Foundation

/// The cause of an `URLError` that a ``ScriptedTransport`` makes, found under `NSUnderlyingErrorKey`.
public struct ScriptedFault: Error, Hashable, Sendable {
    /// What went wrong.
    public enum Kind: Hashable, Sendable {
        /// Nobody listens.
        case refused
        /// Nobody knows the host's name.
        case dnsFailure
        /// No secure connection came about.
        case tlsFailure
        /// The server's certificate is not to be trusted.
        case untrustedCertificate
        /// The connection was reset before there was an answer.
        case resetBeforeHead
        /// The connection was reset after the head and so many bytes.
        case reset(afterBytes: Int)
        /// The connection was closed after the head and so many bytes, and there should have been more.
        case truncated(at: Int)
        /// What came was no HTTP.
        case notHTTP
        /// The request's time was up. It is the cause only where chance had it.
        case timedOut
    }

    /// What went wrong.
    public let kind: Kind
    /// The chance that it is due to, if it is.
    public let draw: ScriptedDraw?
}

extension ScriptedFault.Kind {
    /// What a real transport says of it.
    var urlErrorCode: URLError.Code {
        switch self {
        case .refused: .cannotConnectToHost
        case .dnsFailure: .cannotFindHost
        case .tlsFailure: .secureConnectionFailed
        case .untrustedCertificate: .serverCertificateUntrusted
        case .resetBeforeHead, .reset, .truncated: .networkConnectionLost
        case .notHTTP: .cannotParseResponse
        case .timedOut: .timedOut
        }
    }

    /// Whether it happens before there is a connection.
    var isBeforeConnection: Bool {
        switch self {
        case .refused, .dnsFailure, .tlsFailure, .untrustedCertificate: true
        case .resetBeforeHead, .reset, .truncated, .notHTTP, .timedOut: false
        }
    }
}

extension ScriptedFault: LocalizedError {
    /// What was scripted, and by what chance.
    public var errorDescription: String? { "Scripted: \(kind).\(draw.map { " \($0)" } ?? "")" }

    /// What the application gets.
    func error(url: URL) -> URLError {
        let plain = URLError.exchange(kind.urlErrorCode, url: url)
        guard let draw else { return .exchange(kind.urlErrorCode, url: url, cause: self) }
        return .exchange(kind.urlErrorCode, url: url, reason: "\(plain.localizedDescription) \(draw)", cause: self)
    }
}
