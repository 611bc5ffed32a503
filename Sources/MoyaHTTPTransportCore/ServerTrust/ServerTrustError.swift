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
        /// No certificate of the validated chain is pinned; `presented` contains the pins of their keys.
        ///
        /// Without a validated chain, only the server's own certificate counts.
        case certificateNotPinned(presented: [PublicKeyPin])
        /// No key of the validated chain is pinned; `presented` contains their pins.
        ///
        /// Without a validated chain, only the server's own key counts.
        case publicKeyNotPinned(presented: [PublicKeyPin])
        /// The certificate is valid for other names, but not for the host.
        case hostNotInCertificate(names: [String])
        /// The certificate of the server or of an issuer has expired.
        case expired(Date)
        /// The certificate of the server or of an issuer is not valid yet.
        case notYetValid(Date)
        /// The certificate is self-signed, and is not one of the trusted roots.
        case selfSigned
        /// No valid chain leads from the certificate to a trusted root.
        ///
        /// Usually the root is not one of the trusted ones, or the server does not send an intermediate certificate. A client cannot
        /// distinguish these causes. The issuer of the ``ServerTrustError/rejectedCertificate`` is missing.
        case unknownIssuer
        /// The certificate of the server, or of an issuer below the trusted root, has a weak key or signature.
        ///
        /// A ``WeakCertificatesTrustEvaluator`` accepts it, except for a signature with MD5.
        case weakCertificate(CertificateWeakness)
        /// The certificate is not for TLS servers (keyUsage and extKeyUsage: RFC 5280, sections 4.2.1.3 and 4.2.1.12).
        case wrongUsage
        /// The certificate has a critical extension that is not known (RFC 5280, section 4.2); the text is its object
        /// identifier.
        case unknownCriticalExtension(String)
        /// The certificate of an issuer does not belong to an authority (RFC 5280, sections 4.2.1.3 and 4.2.1.9).
        case issuerIsNotAuthority
        /// The chain has more issuers below the certificate of an issuer than that certificate allows (pathLenConstraint: RFC 5280,
        /// section 4.2.1.9).
        case pathTooLong(maximum: Int)
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
    /// The server's certificate, if it was presented and can be parsed.
    ///
    /// It is ignored when errors are compared.
    public var certificate: Certificate?
    /// The certificate in the chain of the server that was not accepted, if the TLS engine identifies it.
    ///
    /// It belongs to the server or to an issuer. It is ignored when errors are compared.
    public var rejectedCertificate: Certificate?
    /// The error of the TLS engine, or of a custom evaluator.
    ///
    /// It is ignored when errors are compared.
    public var underlyingError: (any Error)?

    /// Creates an error.
    ///
    /// Evaluators only need to set the host and the reason; the ``ServerTrustManager`` sets the other properties.
    public init(
        host: String,
        rule: String? = nil,
        evaluator: String? = nil,
        reason: Reason,
        certificate: Certificate? = nil,
        rejectedCertificate: Certificate? = nil,
        underlyingError: (any Error)? = nil
    ) {
        self.host = host
        self.rule = rule
        self.evaluator = evaluator
        self.reason = reason
        self.certificate = certificate
        self.rejectedCertificate = rejectedCertificate
        self.underlyingError = underlyingError
    }
}

extension ServerTrustError: Equatable {
    /// Returns whether host, rule, evaluator and reason are equal.
    public static func == (one: ServerTrustError, other: ServerTrustError) -> Bool {
        (one.host, one.rule, one.evaluator) == (other.host, other.rule, other.evaluator) && one.reason == other.reason
    }
}

extension ServerTrustError: MaskedError {
    /// A text with the host, the rule, the reason, and the certificate's subject and issuer.
    public var errorDescription: String? { masked(sentence) }

    private var sentence: String {
        let rule = rule.map { " by the rule \"\($0)\"" } ?? ""
        let evaluator = evaluator.map { " (\($0))" } ?? ""
        let issuer = rejectedCertificate == certificate ? nil : rejectedCertificate
        let issuerNames = issuer.map {
            " The rejected certificate is that of an issuer, \"\($0.subject)\", whose issuer is \"\($0.issuer)\"."
        }
        let reason = reason.text(host: HostName(host), isIssuer: issuer != nil)
        let names = certificate.map { " The certificate's subject is \"\($0.subject)\", its issuer \"\($0.issuer)\"." }
        return "The server \"\(host)\" was rejected\(rule)\(evaluator): \(reason)\(names ?? "")\(issuerNames ?? "")"
    }
}

extension ServerTrustError {
    /// The code of the `URLError` that a transport throws.
    package var urlErrorCode: URLError.Code {
        switch reason {
        case .expired: .serverCertificateHasBadDate
        case .notYetValid: .serverCertificateNotYetValid
        default: .serverCertificateUntrusted
        }
    }
}

extension ServerTrustError.Reason {
    /// Creates the probable reason for the rejection of a server, from its certificate, if the TLS engine does not report one.
    package init(rejected certificate: Certificate, at date: Date) {
        self = Self(invalid: certificate, at: date) ?? (certificate.isSelfIssued ? .selfSigned : .unknownIssuer)
    }

    /// Creates the reason why a certificate is not valid at a time; `nil` if it is valid or its dates are unknown.
    package init?(invalid certificate: Certificate, at date: Date) {
        if let end = certificate.notAfter, date > end {
            self = .expired(end)
        } else if let start = certificate.notBefore, date < start {
            self = .notYetValid(start)
        } else {
            return nil
        }
    }
}

extension ServerTrustError.Reason {
    fileprivate func text(host: HostName, isIssuer: Bool) -> String {
        let subject = isIssuer ? "the certificate of an issuer" : "its certificate"
        return switch self {
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
        case .hostNotInCertificate(let names)
        where host.address != nil && names.contains { HostName($0).address == host.address }:
            // An address among the certificate's IP addresses would have matched.
            "its certificate has the address as a DNS name (dNSName), but clients look for an address among the IP addresses"
                + " (iPAddress; RFC 9110, section 4.3.5)."
        case .hostNotInCertificate(let names):
            "its certificate is for \(names.isEmpty ? "no host" : names.joined(separator: ", "))."
        case .expired(let date):
            "\(subject) expired on \(Self.text(date))."
        case .notYetValid(let date):
            "\(subject) is not valid before \(Self.text(date)). Check the clock of this device."
        case .selfSigned:
            "its certificate is self-signed. To trust it, pass it to ServerTrustManager(trustedRoots:)."
        case .unknownIssuer:
            "no valid chain leads from its certificate to a trusted root. To trust another root, pass it to"
                + " ServerTrustManager(trustedRoots:); a server must send intermediate certificates."
        case .weakCertificate(let weakness):
            "\(subject) has \(weakness)."
                + (weakness.isAcceptable ? " WeakCertificatesTrustEvaluator accepts it for a host." : "")
        case .wrongUsage:
            "\(subject) is not for TLS servers (keyUsage, extKeyUsage)."
        case .unknownCriticalExtension(let identifier):
            "\(subject) has a critical extension that is not known, \(identifier)."
        case .issuerIsNotAuthority:
            "the certificate of an issuer is not that of an authority (basicConstraints, keyUsage)."
        case .pathTooLong(let maximum):
            "the certificate of an issuer allows \(maximum) issuers below it, and the chain has more."
        case .notTrusted(let words):
            "its certificate is not trusted (\(words))."
        case .notVerified:
            "the transport has not performed the verification that the rule requires."
        case .refused(let words):
            words
        }
    }

    private static func text(_ date: Date) -> String { date.formatted(.iso8601) }

    private static func list(_ pins: [PublicKeyPin]) -> String {
        pins.map(\.description).joined(separator: ", ")
    }
}

extension URLError {
    /// The error of the rejected server, if the request failed because its server was rejected.
    public var serverTrustError: ServerTrustError? { userInfo[NSUnderlyingErrorKey] as? ServerTrustError }
}
