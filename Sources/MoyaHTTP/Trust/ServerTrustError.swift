import Foundation

/// Why a server was refused: which host, which rule, and what was wrong.
///
/// A transport throws an `URLError` with the code that fits, mostly `.serverCertificateUntrusted`; this stands under its
/// `NSUnderlyingErrorKey`, and in `URLError.serverTrustError`.
public struct ServerTrustError: Error, Sendable {
    /// What was wrong.
    public enum Reason: Equatable, Sendable {
        /// There is no rule for the host, and each host must have one.
        case noEvaluator
        /// The rule has no certificates, keys or evaluators to go by.
        case nothingToCompareWith
        /// The server presented no certificate.
        case noCertificate
        /// The server's certificate can't be read.
        case malformedCertificate
        /// None of the server's certificates is among those of the rule. These are the keys that it presented.
        case certificateNotPinned(presented: [PublicKeyPin])
        /// None of the server's keys is among those of the rule. These are the keys that it presented.
        case publicKeyNotPinned(presented: [PublicKeyPin])
        /// The certificate is for these, not for the host.
        case hostNotInCertificate(names: [String])
        /// The engine did not accept the certificate, in its own words.
        case notTrusted(String)
        /// The transport has not verified what the rule builds on.
        case notVerified
        /// An evaluator of the application refused; its error is ``ServerTrustError/underlyingError``.
        case refused(String)
    }

    /// The host that the request was for.
    public var host: String
    /// The pattern in the ``ServerTrustManager`` that the host matched, if it matched one.
    public var rule: String?
    /// The type of the evaluator that refused, if one was asked.
    public var evaluator: String?
    /// What was wrong.
    public var reason: Reason
    /// What the engine, or the application's own evaluator, threw. It doesn't count when two errors are compared.
    public var underlyingError: (any Error)?

    /// Makes an error. An evaluator needs to say host and reason only: the rest is filled in.
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
    /// Whether host, rule, evaluator and reason are the same.
    public static func == (one: ServerTrustError, other: ServerTrustError) -> Bool {
        (one.host, one.rule, one.evaluator) == (other.host, other.rule, other.evaluator) && one.reason == other.reason
    }
}

extension ServerTrustError: LocalizedError {
    /// Who refused whom, and why.
    public var errorDescription: String? {
        let rule = rule.map { " by the rule \"\($0)\"" } ?? ""
        let evaluator = evaluator.map { " (\($0))" } ?? ""
        return "The server \"\(host)\" was refused\(rule)\(evaluator): \(reason.text)"
    }
}

extension ServerTrustError.Reason {
    fileprivate var text: String {
        switch self {
        case .noEvaluator:
            "there is no evaluator for it, and allHostsMustBeEvaluated is true."
        case .nothingToCompareWith:
            "the rule has nothing to compare with: give it certificates, keys or evaluators."
        case .noCertificate:
            "it presented no certificate."
        case .malformedCertificate:
            "its certificate cannot be read."
        case .certificateNotPinned(let presented):
            "none of its certificates is pinned. Their keys are \(Self.list(presented))."
        case .publicKeyNotPinned(let presented):
            "none of its keys is pinned. They are \(Self.list(presented))."
        case .hostNotInCertificate(let names):
            "its certificate is for \(names.isEmpty ? "no host at all" : names.joined(separator: ", "))."
        case .notTrusted(let words):
            "its certificate is not trusted (\(words))."
        case .notVerified:
            "the transport has not verified what the rule builds on."
        case .refused(let words):
            words
        }
    }

    private static func list(_ pins: [PublicKeyPin]) -> String {
        pins.map(\.description).joined(separator: ", ")
    }
}

extension URLError {
    /// Why the server was refused, if the request failed because of that.
    public var serverTrustError: ServerTrustError? { userInfo[NSUnderlyingErrorKey] as? ServerTrustError }
}
