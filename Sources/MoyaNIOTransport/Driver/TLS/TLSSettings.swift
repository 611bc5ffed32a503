#if NIO && !canImport(Darwin)
import Foundation
import NIOSSL

/// The client's settings for TLS handshakes.
struct TLSSettings: Sendable {
    private let minimumVersion: NIOSSL.TLSVersion
    private let identity: (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey)?
    let allowsRenegotiation: Bool

    /// The groups for key exchange and the curves of certificates: NIOSSL's default, and P-521.
    ///
    /// The key of a client's certificate must be on one of them, too.
    private static let curves: [NIOTLSCurve] = [.x25519_MLKEM768, .x25519, .secp256r1, .secp384r1, .secp521r1]

    /// The signature algorithms that a server may use: those of curl with OpenSSL, as far as BoringSSL supports them.
    private static let signatures: [SignatureAlgorithm] = [
        .ecdsaSecp256R1Sha256, .rsaPssRsaeSha256, .rsaPkcs1Sha256,
        .ecdsaSecp384R1Sha384, .rsaPssRsaeSha384, .rsaPkcs1Sha384,
        .ecdsaSecp521R1Sha512, .ed25519, .rsaPssRsaeSha512, .rsaPkcs1Sha512,
    ]
    private static let weakSignatures: [SignatureAlgorithm] = [.rsaPkcs1Sha1, .ecdsaSha1]

    init(minimumVersion: NIOSSL.TLSVersion) {
        self.minimumVersion = minimumVersion
        identity = nil
        allowsRenegotiation = false
    }

    init(_ configuration: TransportConfiguration) throws(TransportConfigurationError) {
        minimumVersion =
            switch configuration.minimumTLSVersion ?? .tls12 {
            case .tls10: .tlsv1
            case .tls11: .tlsv11
            case .tls12: .tlsv12
            case .tls13: .tlsv13
            }
        allowsRenegotiation = configuration.allowsRenegotiation
        if let clientIdentity = configuration.clientIdentity {
            identity = try Self.loadIdentity(clientIdentity.source)
        } else {
            identity = nil
        }
        let manager = configuration.serverTrustManager
        let evaluators = (manager?.evaluators ?? [:]).map(\.value) + [manager?.trustedRoots].compactMap(\.self)
        for evaluator in evaluators {
            do {
                _ = try Self.certificates(evaluator.verification.anchors)
            } catch {
                throw .invalid(.serverTrustManager, reason: "A certificate to be trusted cannot be read.")
            }
        }
    }

    /// Returns the TLS configuration for the requirements of a rule, without the offered protocols.
    ///
    /// Host name verification is disabled in NIOSSL, and done by ``ServerTrustRule/check(_:host:_:)``. NIOSSL also accepts a
    /// certificate for the connected address instead of the name: an attacker who controls DNS, and has a certificate for an
    /// address, could impersonate any host. Behind a proxy or a socket, that address is not even that of the host.
    /// Furthermore NIOSSL still accepts the common name (RFC 9525, sections 2 and 6.1.1).
    func configuration(for requirements: TLSRequirements) throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = minimumVersion
        // More than one renegotiation on a connection would let a server cause endless work.
        configuration.renegotiationSupport = allowsRenegotiation ? .once : .none
        configuration.curves = Self.curves
        configuration.verifySignatureAlgorithms =
            Self.signatures + (requirements.acceptsWeakCertificates ? Self.weakSignatures : [])
        // The time to wait for a server that does not send a close alert, if a connection is closed gracefully.
        configuration.shutdownTimeout = .seconds(1)
        if let identity {
            configuration.certificateChain = identity.chain.map { .certificate($0) }
            configuration.privateKey = .privateKey(identity.key)
        }
        switch requirements.verification {
        case .nothing:
            configuration.certificateVerification = .none
        case .systemRoots:
            configuration.certificateVerification = .noHostnameVerification
        case .systemRootsAndAnchors(let anchors, _):
            configuration.certificateVerification = .noHostnameVerification
            configuration.additionalTrustRoots = [.certificates(try Self.certificates(anchors))]
        case .anchors(let anchors, _):
            configuration.certificateVerification = .noHostnameVerification
            configuration.trustRoots = .certificates(try Self.certificates(anchors))
        }
        return configuration
    }

    private static func certificates(_ certificates: [Certificate]) throws -> [NIOSSLCertificate] {
        try certificates.map { try NIOSSLCertificate(bytes: Array($0.der), format: .der) }
    }

    private static func loadIdentity(
        _ source: ClientIdentity.Source
    ) throws(TransportConfigurationError) -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
        switch source {
        case .pkcs12(let data, let passphrase):
            guard let bundle = try? NIOSSLPKCS12Bundle(buffer: Array(data), passphrase: passphrase?.utf8),
                !bundle.certificateChain.isEmpty
            else {
                throw .invalid(
                    .clientIdentity,
                    reason: "The PKCS#12 archive is damaged, empty, or has another passphrase."
                )
            }
            return try checked(bundle.certificateChain, bundle.privateKey)
        case .certificates(let certificates, let bytes, let format, let passphrase):
            guard !certificates.isEmpty, let chain = try? Self.certificates(certificates) else {
                throw .invalid(.clientIdentity, reason: "A certificate is missing or cannot be read.")
            }
            guard
                let key = try? NIOSSLPrivateKey(
                    bytes: Array(bytes),
                    format: format == .pem ? .pem : .der,
                    passphraseCallback: { $0(Array((passphrase ?? "").utf8)) }
                )
            else {
                throw .invalid(
                    .clientIdentity,
                    reason: "The private key is damaged, of an unknown kind, or has another passphrase."
                )
            }
            return try checked(chain, key)
        }
    }

    /// Returns an identity whose key belongs to its first certificate.
    private static func checked(
        _ chain: [NIOSSLCertificate],
        _ key: NIOSSLPrivateKey
    ) throws(TransportConfigurationError) -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        // Without verification the roots of the system are not read.
        configuration.certificateVerification = .none
        configuration.certificateChain = chain.map { .certificate($0) }
        configuration.privateKey = .privateKey(key)
        do {
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .invalid(.clientIdentity, reason: "The private key does not belong to the first certificate.")
        }
        return (chain, key)
    }
}
#endif
