import Foundation

/// The server trust rules of a transport, by host.
///
///     let manager = ServerTrustManager(evaluators: [
///         "api.example.com": try PublicKeysTrustEvaluator(hashes: ["sha256/…", "sha256/…"]),
///         "*.example.com": DefaultTrustEvaluator(),
///     ])
///     let transport = try NIOTransport(connection: TransportConfiguration(serverTrustManager: manager))
///
/// For servers with certificates of a private authority, name its roots. They are trusted besides the system's:
///
///     let roots = try Certificate.certificates(contentsOf: URL(fileURLWithPath: "/etc/example/roots.pem"))
///     let session = Session(serverTrustManager: ServerTrustManager(trustedRoots: roots))
///
/// A host is looked up by its name, and then with its first label replaced by `*`. Thus `*.example.com` matches
/// `api.example.com`, but neither `example.com` nor `a.api.example.com` (as RFC 9525, section 6.3, specifies for
/// certificates). Case and a trailing dot are ignored. IP addresses are looked up in normalized form. Ports are
/// ignored. International names must be in ASCII form (`xn--…`), as in a URL.
///
/// Only `https` is affected. Requests over plain `http` are sent to any host.
public struct ServerTrustManager: Sendable {
    /// Whether hosts without a rule are rejected.
    ///
    /// Otherwise the ``trustedRoots`` decide about such a host or, without them, the default of the transport.
    public let allHostsMustBeEvaluated: Bool
    /// The rules as passed to the initializer.
    public let evaluators: [String: any ServerTrustEvaluating]

    /// The evaluator for hosts without a rule; `nil` if such hosts are rejected, or left to the default of the transport.
    public let trustedRoots: RootCertificatesTrustEvaluator?

    /// The patterns that cannot match any host, and those that duplicate another pattern.
    ///
    /// A transport rejects a manager with invalid patterns, since the intended hosts would not have a rule.
    public let invalidPatterns: [String]

    private let rules: [String: ServerTrustRule]

    /// Creates a manager.
    ///
    /// - Parameters:
    ///   - allHostsMustBeEvaluated: Whether hosts without a rule are rejected.
    ///   - evaluators: The rule for each host, or for a pattern such as `*.example.com`.
    public init(allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]) {
        self.init(allHostsMustBeEvaluated: allHostsMustBeEvaluated, trustedRoots: nil, evaluators: evaluators)
    }

    /// Creates a manager that trusts these root certificates for each host.
    ///
    /// - Parameters:
    ///   - trustedRoots: The root certificates, usually of a PEM file: see ``Certificate/certificates(contentsOf:)``. A
    ///     server's self-signed certificate is its own root.
    ///   - includesSystemRoots: Whether the system's roots are trusted as well. Otherwise only servers with certificates
    ///     of these roots are accepted.
    ///   - acceptsWeakCertificates: Whether weak certificates below a root are accepted, for each host without a rule: see
    ///     ``WeakCertificatesTrustEvaluator``.
    ///   - evaluators: The rules of hosts for which the roots do not apply.
    public init(
        trustedRoots: [Certificate],
        includesSystemRoots: Bool = true,
        acceptsWeakCertificates: Bool = false,
        evaluators: [String: any ServerTrustEvaluating] = [:]
    ) {
        let roots = RootCertificatesTrustEvaluator(
            certificates: trustedRoots,
            includesSystemRoots: includesSystemRoots,
            acceptsWeakCertificates: acceptsWeakCertificates
        )
        self.init(allHostsMustBeEvaluated: false, trustedRoots: roots, evaluators: evaluators)
    }

    private init(
        allHostsMustBeEvaluated: Bool,
        trustedRoots: RootCertificatesTrustEvaluator?,
        evaluators: [String: any ServerTrustEvaluating]
    ) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.trustedRoots = trustedRoots
        self.evaluators = evaluators
        var rules: [String: ServerTrustRule] = [:]
        var invalid: [String] = []
        for (text, evaluator) in evaluators {
            let rule = ServerTrustRule(pattern: text, evaluator: evaluator)
            guard let pattern = HostName.Pattern(text), rules.updateValue(rule, forKey: pattern.text) == nil else {
                invalid.append(text)
                continue
            }
        }
        self.rules = rules
        invalidPatterns = invalid.sorted()
    }

    /// Returns the evaluator for a host; `nil` if the host needs none.
    ///
    /// - Throws: ``ServerTrustError`` for a host without an evaluator, if every host must have one.
    public func serverTrustEvaluator(
        forHost host: String
    ) throws(ServerTrustError) -> (any ServerTrustEvaluating)? {
        try rule(forHost: host)?.evaluator
    }

    /// Returns the rule for a host; `nil` if the host needs none.
    package func rule(forHost host: String) throws(ServerTrustError) -> ServerTrustRule? {
        let name = HostName(host)
        if let rule = rules[name.text] ?? name.wildcard.flatMap({ rules[$0] }) { return rule }
        if let trustedRoots { return ServerTrustRule(pattern: nil, evaluator: trustedRoots) }
        guard !allHostsMustBeEvaluated else { throw ServerTrustError(host: host, reason: .noEvaluator) }
        return nil
    }
}

/// A rule of a ``ServerTrustManager``.
package struct ServerTrustRule: Sendable {
    /// The pattern that the host matched; `nil` for the default rule.
    package let pattern: String?
    package let evaluator: any ServerTrustEvaluating

    package init(pattern: String?, evaluator: any ServerTrustEvaluating) {
        (self.pattern, self.evaluator) = (pattern, evaluator)
    }

    /// Checks that the required verification has been performed and the certificates are strong, and calls the evaluator.
    ///
    /// If the TLS engine could not verify the host name, this function verifies it.
    package func evaluate(_ trust: ServerTrust) throws(ServerTrustError) {
        do {
            let verification = evaluator.verification
            try trust.check(verification)
            let trust = ServerTrust(
                host: trust.host,
                certificates: trust.certificates,
                validatedChain: verification.validatesChain ? trust.validatedChain : [],
                verification: verification
            )
            if !evaluator.acceptsWeakCertificates { try trust.checkStrength() }
            try evaluator.evaluate(trust, forHost: trust.host)
        } catch let error as ServerTrustError {
            let certificate = error.certificate ?? trust.certificates.first
            throw refusal(
                of: trust.host,
                error.reason,
                certificate: certificate,
                rejected: error.rejectedCertificate,
                cause: error.underlyingError
            )
        } catch {
            throw refusal(
                of: trust.host,
                .refused(error.localizedDescription),
                certificate: trust.certificates.first,
                cause: error
            )
        }
    }

    /// Returns an error with this rule.
    package func refusal(
        of host: String,
        _ reason: ServerTrustError.Reason,
        certificate: Certificate? = nil,
        rejected: Certificate? = nil,
        cause: (any Error)? = nil
    ) -> ServerTrustError {
        ServerTrustError(
            host: host,
            rule: pattern,
            evaluator: pattern == nil ? nil : String(describing: type(of: evaluator)),
            reason: reason,
            certificate: certificate,
            rejectedCertificate: rejected,
            underlyingError: cause
        )
    }
}
