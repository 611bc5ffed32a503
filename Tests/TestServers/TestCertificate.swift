import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A certificate with a given key, issuer and extensions, valid until tomorrow.
public struct TestCertificate: Sendable {
    /// The kind of a key.
    public enum Key: CaseIterable, Sendable {
        case p256, p384, p521, ed25519
        /// A key of 2048 bits, the same for each certificate.
        case rsa
    }

    /// The extensions.
    public struct Extensions: Sendable {
        /// The host names.
        public var names = ["localhost"]
        /// Whether basicConstraints marks the certificate as an authority; `nil` for no such extension.
        public var isAuthority: Bool?
        /// The pathLenConstraint of an authority, if any.
        public var pathLength: Int?
        /// Whether keyUsage allows the key to sign certificates, or else signatures only; `nil` for any use.
        public var signsCertificates: Bool?
        /// Whether extKeyUsage allows use by servers, or else by clients; `nil` for any use.
        public var isForServers: Bool?
        /// Whether the certificate has an unknown critical extension 1.2.3.4.
        public var hasUnknownCriticalExtension = false

        /// Creates the extensions of a server's certificate.
        public init(names: [String] = ["localhost"]) { self.names = names }

        /// The extensions of an authority.
        public static var authority: Extensions {
            var extensions = Extensions(names: [])
            (extensions.isAuthority, extensions.signsCertificates) = (true, true)
            return extensions
        }

        /// Returns these extensions with changes.
        public func with(_ change: (inout Extensions) -> Void) -> Extensions {
            var extensions = self
            change(&extensions)
            return extensions
        }
    }

    /// The certificate in DER.
    public let der: Data

    private let certificate: Certificate
    private let key: Certificate.PrivateKey

    /// Issues a certificate.
    ///
    /// - Parameters:
    ///   - name: The common name of the subject.
    ///   - key: The kind of the key.
    ///   - issuer: The issuer; `nil` for a self-signed certificate.
    ///   - extensions: The extensions.
    ///   - validity: The validity period.
    ///   - isSignedWithSHA1: Whether the issuer signs with SHA-1; its key must be RSA.
    /// - Throws: The error of encoding the certificate.
    public init(
        _ name: String,
        key: Key = .p256,
        issuer: TestCertificate? = nil,
        _ extensions: Extensions = Extensions(),
        validity: TestAuthority.Validity = .now,
        isSignedWithSHA1: Bool = false
    ) throws {
        self.key =
            switch key {
            case .p256: Certificate.PrivateKey(P256.Signing.PrivateKey())
            case .p384: Certificate.PrivateKey(P384.Signing.PrivateKey())
            case .p521: Certificate.PrivateKey(P521.Signing.PrivateKey())
            case .ed25519: Certificate.PrivateKey(Curve25519.Signing.PrivateKey())
            case .rsa: try Certificate.PrivateKey(pemEncoded: WeakKeys.rsa2048)
            }
        let subject = try DistinguishedName { CommonName(name) }
        let dates = validity.dates
        let issuerKey = issuer?.key ?? self.key
        let encoded = try Self.encode(extensions)
        certificate =
            isSignedWithSHA1
            ? try Certificate(
                version: .v3,
                serialNumber: Certificate.SerialNumber(),
                publicKey: self.key.publicKey,
                notValidBefore: dates.from,
                notValidAfter: dates.to,
                issuer: issuer?.certificate.subject ?? subject,
                subject: subject,
                signatureAlgorithm: .sha1WithRSAEncryption,
                extensions: encoded,
                issuerPrivateKey: issuerKey
            )
            : try Certificate(
                version: .v3,
                serialNumber: Certificate.SerialNumber(),
                publicKey: self.key.publicKey,
                notValidBefore: dates.from,
                notValidAfter: dates.to,
                issuer: issuer?.certificate.subject ?? subject,
                subject: subject,
                extensions: encoded,
                issuerPrivateKey: issuerKey
            )
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        der = Data(serializer.serializedBytes)
    }

    private static func encode(_ extensions: Extensions) throws -> Certificate.Extensions {
        try Certificate.Extensions {
            if let isAuthority = extensions.isAuthority {
                Critical(
                    isAuthority
                        ? BasicConstraints.isCertificateAuthority(maxPathLength: extensions.pathLength)
                        : .notCertificateAuthority
                )
            }
            if let signsCertificates = extensions.signsCertificates {
                Critical(KeyUsage(digitalSignature: !signsCertificates, keyCertSign: signsCertificates))
            }
            if let isForServers = extensions.isForServers {
                try ExtendedKeyUsage([isForServers ? ExtendedKeyUsage.Usage.serverAuth : .clientAuth])
            }
            if extensions.hasUnknownCriticalExtension {
                Certificate.Extension(oid: [1, 2, 3, 4], critical: true, value: [0x05, 0x00])
            }
            if !extensions.names.isEmpty {
                SubjectAlternativeNames(extensions.names.map { .dnsName($0) })
            }
        }
    }

    /// The private key in PEM.
    public var keyPEM: String {
        get throws { try key.serializeAsPEM().pemString }
    }

    /// The certificate in PEM.
    public var pem: String {
        get throws { try certificate.serializeAsPEM().pemString }
    }

    /// Returns the TLS configuration of a server with this certificate, which presents these issuers.
    ///
    /// The configuration has NIOSSL's default groups and curves, and P-521.
    public func serverConfiguration(issuers: [TestCertificate] = []) throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try ([self] + issuers).map {
                .certificate(try NIOSSLCertificate(bytes: Array($0.der), format: .der))
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem))
        )
        configuration.curves = [.x25519_MLKEM768, .x25519, .secp256r1, .secp384r1, .secp521r1]
        return configuration
    }
}
