import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A certificate authority for one test: a root and an intermediate, which issues certificates.
public struct TestAuthority: Sendable {
    /// The validity period of a certificate.
    public enum Validity: Sendable {
        /// From yesterday to tomorrow.
        case now
        /// Until yesterday.
        case past
        /// From tomorrow.
        case future

        var dates: (from: Date, to: Date) {
            let day: TimeInterval = 86_400
            return switch self {
            case .now: (Date(timeIntervalSinceNow: -day), Date(timeIntervalSinceNow: day))
            case .past: (Date(timeIntervalSinceNow: -3 * day), Date(timeIntervalSinceNow: -day))
            case .future: (Date(timeIntervalSinceNow: day), Date(timeIntervalSinceNow: 3 * day))
            }
        }
    }

    /// The root, in DER.
    public let root: Data
    /// The intermediate, in DER.
    public let intermediate: Data

    private let issuer: Certificate
    private let issuerKey: Certificate.PrivateKey

    /// Creates an authority with new keys.
    ///
    /// - Parameters:
    ///   - name: The prefix of the subjects' names.
    ///   - issuerValidity: The validity period of the intermediate.
    ///   - requiresPolicy: Whether the intermediate requires its policy in each certificate that it issues.
    /// - Throws: The error of encoding a certificate.
    public init(name: String = "Test", issuerValidity: Validity = .now, requiresPolicy: Bool = false) throws {
        let rootKey = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let rootName = try DistinguishedName { CommonName("\(name) Root") }
        let rootCertificate = try Self.certificate(
            subject: rootName,
            key: rootKey.publicKey,
            issuer: rootName,
            issuerKey: rootKey,
            validity: .now,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true))
            }
        )
        issuerKey = Certificate.PrivateKey(P256.Signing.PrivateKey())
        issuer = try Self.certificate(
            subject: DistinguishedName { CommonName("\(name) Intermediate") },
            key: issuerKey.publicKey,
            issuer: rootName,
            issuerKey: rootKey,
            validity: issuerValidity,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
                if requiresPolicy {
                    Self.policy
                    // The value is requireExplicitPolicy 0 (RFC 5280, section 4.2.1.11).
                    Certificate.Extension(oid: [2, 5, 29, 36], critical: true, value: [0x30, 0x03, 0x80, 0x01, 0x00])
                }
            }
        )
        root = try Self.der(rootCertificate)
        intermediate = try Self.der(issuer)
    }

    /// Issues a certificate, for a server or a client.
    ///
    /// - Parameters:
    ///   - names: The host names.
    ///   - addresses: The IP addresses, four or sixteen bytes each.
    ///   - validity: The validity period.
    ///   - key: The key; a new one by default.
    ///   - commonName: The subject's name.
    ///   - hasPolicy: Whether the certificate has the policy that an authority may require.
    /// - Returns: The certificate with its key.
    /// - Throws: The error of encoding the certificate.
    public func issue(
        names: [String] = ["localhost"],
        addresses: [[UInt8]] = [[127, 0, 0, 1]],
        validity: Validity = .now,
        key: TestKey = TestKey(),
        commonName: String = "Leaf",
        hasPolicy: Bool = false
    ) throws -> TestIdentity {
        let certificate = try Self.certificate(
            subject: DistinguishedName { CommonName(commonName) },
            key: Certificate.PrivateKey(key.key).publicKey,
            issuer: issuer.subject,
            issuerKey: issuerKey,
            validity: validity,
            extensions: Self.leafExtensions(names, addresses, hasPolicy: hasPolicy)
        )
        return TestIdentity(certificate: try Self.der(certificate), issuers: [intermediate], root: root, key: key)
    }

    /// Creates a self-signed certificate.
    public static func selfSigned(names: [String] = ["localhost"], key: TestKey = TestKey()) throws -> TestIdentity {
        let name = try DistinguishedName { CommonName("Self") }
        let privateKey = Certificate.PrivateKey(key.key)
        let certificate = try certificate(
            subject: name,
            key: privateKey.publicKey,
            issuer: name,
            issuerKey: privateKey,
            validity: .now,
            extensions: leafExtensions(names, [])
        )
        return TestIdentity(certificate: try der(certificate), issuers: [], key: key)
    }

    /// The policy 1.2.3 (RFC 5280, section 4.2.1.4).
    private static let policy = Certificate.Extension(
        oid: [2, 5, 29, 32],
        critical: false,
        value: [0x30, 0x06, 0x30, 0x04, 0x06, 0x02, 0x2A, 0x03]
    )

    private static func leafExtensions(
        _ names: [String],
        _ addresses: [[UInt8]],
        hasPolicy: Bool = false
    ) throws -> Certificate.Extensions {
        try Certificate.Extensions {
            Critical(BasicConstraints.notCertificateAuthority)
            if hasPolicy { policy }
            if !names.isEmpty || !addresses.isEmpty {
                SubjectAlternativeNames(
                    names.map { .dnsName($0) } + addresses.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) }
                )
            }
        }
    }

    private static func certificate(
        subject: DistinguishedName,
        key: Certificate.PublicKey,
        issuer: DistinguishedName,
        issuerKey: Certificate.PrivateKey,
        validity: Validity,
        extensions: Certificate.Extensions
    ) throws -> Certificate {
        let dates = validity.dates
        return try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key,
            notValidBefore: dates.from,
            notValidAfter: dates.to,
            issuer: issuer,
            subject: subject,
            extensions: extensions,
            issuerPrivateKey: issuerKey
        )
    }

    private static func der(_ certificate: Certificate) throws -> Data {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return Data(serializer.serializedBytes)
    }
}

/// A private key on the curve P-256.
public struct TestKey: Sendable {
    let key: P256.Signing.PrivateKey

    /// Creates a new key.
    public init() { key = P256.Signing.PrivateKey() }

    /// The key in PEM (PKCS#8).
    public var pem: String { key.pemRepresentation }

    /// The key in DER (PKCS#8).
    public var der: Data { key.derRepresentation }

    /// The SHA-256 of the SubjectPublicKeyInfo in Base64, computed independently of the tested code.
    public var pin: String { Data(Crypto.SHA256.hash(data: key.publicKey.derRepresentation)).base64EncodedString() }
}

/// A certificate with its key and its issuers.
public struct TestIdentity: Sendable {
    /// The certificate in DER.
    public let certificate: Data
    /// The certificates between this certificate and the root, in DER.
    public var issuers: [Data]
    /// The root, if the issuers have one.
    public var root: Data?
    /// The private key.
    public let key: TestKey

    /// The certificate and its issuers in PEM.
    public var pem: String {
        ([certificate] + issuers).map { data in
            let lines = data.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
        }.joined()
    }

    /// Returns the TLS configuration of a server with this identity.
    public func serverConfiguration() throws -> TLSConfiguration {
        .makeServerConfiguration(
            certificateChain: try ([certificate] + issuers).map {
                .certificate(try NIOSSLCertificate(bytes: Array($0), format: .der))
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.pem.utf8), format: .pem))
        )
    }
}
