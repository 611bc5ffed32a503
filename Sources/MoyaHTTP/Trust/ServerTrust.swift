/// What is known of a server once the TLS handshake is done, before the first byte of a request.
public struct ServerTrust: Sendable {
    /// The host that the request is for.
    public let host: String
    /// The certificates that the server presented, its own first.
    ///
    /// ``NIOTransport`` and ``URLSessionTransport`` show the server's own only.
    public let certificates: [Certificate]
    /// What the engine has verified. Of certificates after the first nothing is known where it is
    /// ``ServerTrustVerification/nothing``: anybody can present a chain that belongs to somebody else.
    public let verification: ServerTrustVerification

    /// Makes a value; a transport does this.
    public init(host: String, certificates: [Certificate], verification: ServerTrustVerification) {
        self.host = host
        self.certificates = certificates
        self.verification = verification
    }

    /// The certificates that may be compared with pins: those that are known to belong together.
    var proven: ArraySlice<Certificate> { verification.validatesChain ? certificates[...] : certificates.prefix(1) }

    /// Checks that the server's own certificate is for the host, unless the engine has.
    ///
    /// - Throws: ``ServerTrustError``.
    func checkHost() throws(ServerTrustError) {
        guard !verification.validatesHost else { return }
        guard let certificate = certificates.first else {
            throw ServerTrustError(host: host, reason: .noCertificate)
        }
        guard certificate.fields.names.match(host: host) else {
            throw ServerTrustError(
                host: host,
                reason: .hostNotInCertificate(names: certificate.fields.names.texts)
            )
        }
    }

    /// Checks that the engine has verified what an evaluator builds on.
    ///
    /// The host's name may also be verified here.
    /// - Throws: ``ServerTrustError``.
    func check(_ wanted: ServerTrustVerification) throws(ServerTrustError) {
        guard verification.includes(wanted.validatingHost(false)) else {
            throw ServerTrustError(host: host, reason: .notVerified)
        }
        if wanted.validatesHost { try checkHost() }
    }
}
