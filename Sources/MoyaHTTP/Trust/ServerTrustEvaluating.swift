/// A rule that decides whether a server is trusted.
///
/// An evaluator is called once for each connection, after the TLS handshake and before the first byte of a request.
/// It runs on a thread of the transport, so it must not block.
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
    /// The verification that the TLS engine must perform before the evaluator is called.
    ///
    /// The default is the chain up to a system root, and the host name.
    var verification: ServerTrustVerification { get }

    /// Throws if the server is not trusted, in which case the connection is closed.
    ///
    /// - Throws: ``ServerTrustError``, or another error, which becomes the ``ServerTrustError/underlyingError``.
    func evaluate(_ trust: ServerTrust, forHost host: String) throws
}

extension ServerTrustEvaluating {
    /// Verification of the chain up to a system root, and of the host name.
    public var verification: ServerTrustVerification { .systemRoots(validatesHost: true) }
}
