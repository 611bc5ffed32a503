/// Decides whether a server is trusted: the rule for one host or for several.
///
/// An evaluator is asked once for each connection, after the TLS handshake and before the first byte of a request.
/// It is called on the transport's thread, so it must decide from what it is given and not wait.
///
///     struct KnownServers: ServerTrustEvaluating {
///         let pins: Set<PublicKeyPin>
///
///         var verification: ServerTrustVerification { .systemRoots(validatesHost: true) }
///
///         func evaluate(_ trust: ServerTrust, forHost host: String) throws {
///             guard let key = trust.certificates.first?.publicKeyPin, pins.contains(key) else { throw Unknown() }
///         }
///     }
public protocol ServerTrustEvaluating: Sendable {
    /// What the engine must have verified before the evaluator is asked.
    ///
    /// Unless an evaluator says otherwise: the chain, to the system's roots, and the host's name.
    var verification: ServerTrustVerification { get }

    /// Throws if the server must not be trusted. The connection is closed then.
    ///
    /// - Throws: ``ServerTrustError``, or an error of its own, which is found as ``ServerTrustError/underlyingError``.
    func evaluate(_ trust: ServerTrust, forHost host: String) throws
}

extension ServerTrustEvaluating {
    /// The chain, to the system's roots, and the host's name.
    public var verification: ServerTrustVerification { .systemRoots(validatesHost: true) }
}
