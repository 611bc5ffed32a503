import Foundation

/// An error for a rejected server, with the host, the rule and the reason.
///
/// A transport throws a `URLError` with a matching code, usually `.serverCertificateUntrusted`. This error is its
/// `NSUnderlyingErrorKey` and its `URLError.serverTrustError`.
public struct ServerTrustError: Error, Sendable {
    /// The reason for the rejection.
    public enum Reason: Equatable, Sendable {
        /// There is no rule for the host, but every host must have one.
        case noEvaluator
        /// The rule has no certificates, keys or evaluators.
        case nothingToCompareWith
        /// The server presented no certificate.
        case noCertificate
        /// The server's certificate cannot be parsed.
        case malformedCertificate
        /// None of the server's certificates is pinned; `presented` contains the pins of their keys.
        case certificateNotPinned(presented: [PublicKeyPin])
        /// None of the server's keys is pinned; `presented` contains their pins.
        case publicKeyNotPinned(presented: [PublicKeyPin])
        /// The certificate is valid for other names, but not for the host.
        case hostNotInCertificate(names: [String])
        /// The TLS engine did not accept the certificate; the text is its description.
        case notTrusted(String)
        /// The transport has not performed the verification that the rule requires.
        case notVerified
        /// An evaluator of the application rejected the server; its error is the
        /// ``ServerTrustError/underlyingError``.
        case refused(String)
    }

    /// The host of the request.
    public var host: String
    /// The pattern in the ``ServerTrustManager`` that matched the host, if any.
    public var rule: String?
    /// The type of the evaluator that rejected the server, if any.
    public var evaluator: String?
    /// The reason for the rejection.
    public var reason: Reason
    /// The error of the TLS engine, or of a custom evaluator.
    ///
    /// It is ignored when errors are compared.
    public var underlyingError: (any Error)?

    /// Creates an error.
    ///
    /// Evaluators only need to set host and reason; the other properties are filled in.
    public init(
        host: String,
        rule: String? = nil,
        evaluator: String? = nil,
        reason: Reason,
        underlyingError: (any Error)? = nil
    ) {
        self.host = host
        self.rule = rule
        self.evaluator = evaluator
        self.reason = reason
        self.underlyingError = underlyingError
    }
}

extension ServerTrustError: Equatable {
    /// Returns whether host, rule, evaluator and reason are equal.
    public static func == (one: ServerTrustError, other: ServerTrustError) -> Bool {
        (one.host, one.rule, one.evaluator) == (other.host, other.rule, other.evaluator) && one.reason == other.reason
    }
}

extension ServerTrustError: LocalizedError {
    /// A sentence with the host, the rule and the reason.
    public var errorDescription: String? {
        let rule = rule.map { " by the rule \"\($0)\"" } ?? ""
        let evaluator = evaluator.map { " (\($0))" } ?? ""
        return "The server \"\(host)\" was rejected\(rule)\(evaluator): \(reason.text)"
    }
}

extension ServerTrustError.Reason {
    fileprivate var text: String {
        switch self {
        case .noEvaluator:
            "there is no evaluator for it, and allHostsMustBeEvaluated is true."
        case .nothingToCompareWith:
            "the rule has no certificates, keys or evaluators to compare with."
        case .noCertificate:
            "it presented no certificate."
        case .malformedCertificate:
            "its certificate cannot be read."
        case .certificateNotPinned(let presented):
            "none of its certificates is pinned. Their keys are \(Self.list(presented))."
        case .publicKeyNotPinned(let presented):
            "none of its keys is pinned. They are \(Self.list(presented))."
        case .hostNotInCertificate(let names):
            "its certificate is for \(names.isEmpty ? "no host" : names.joined(separator: ", "))."
        case .notTrusted(let words):
            "its certificate is not trusted (\(words))."
        case .notVerified:
            "the transport has not performed the verification that the rule requires."
        case .refused(let words):
            words
        }
    }

    private static func list(_ pins: [PublicKeyPin]) -> String {
        pins.map(\.description).joined(separator: ", ")
    }
}

extension URLError {
    /// The reason why the server was rejected, if the request failed because of that.
    public var serverTrustError: ServerTrustError? { userInfo[NSUnderlyingErrorKey] as? ServerTrustError }
}
