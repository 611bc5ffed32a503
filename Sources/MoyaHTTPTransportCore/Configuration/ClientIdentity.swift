import Foundation

/// A certificate with its private key that authenticates a client (mutual TLS).
///
/// The content is checked when a transport is created. A transport that cannot use it throws a
/// ``TransportConfigurationError``, which includes neither key nor passphrase. Descriptions do not include them
/// either.
///
/// On Apple's platforms keys are RSA keys and EC keys with a named curve, and an encrypted one must be in a PKCS#12 archive.
public struct ClientIdentity: Sendable, CustomStringConvertible, CustomReflectable {
    /// The encoding of a private key.
    public enum KeyFormat: Sendable {
        /// PEM text with `-----BEGIN … PRIVATE KEY-----`.
        case pem
        /// PKCS#8, PKCS#1 or SEC1 in DER.
        case der
    }

    package enum Source: Sendable {
        case certificates([Certificate], key: Data, KeyFormat, passphrase: String?)
        case pkcs12(Data, passphrase: String?)
    }

    package let source: Source

    /// Creates an identity from a certificate chain and a private key.
    ///
    /// - Parameters:
    ///   - certificates: The client's certificate, followed by the certificates that lead to its root.
    ///   - privateKey: The bytes of the key.
    ///   - format: The encoding of the key.
    ///   - passphrase: The passphrase of an encrypted key, which must be PEM.
    public init(
        certificates: [Certificate],
        privateKey: Data,
        format: KeyFormat = .pem,
        passphrase: String? = nil
    ) {
        source = .certificates(certificates, key: privateKey, format, passphrase: passphrase)
    }

    /// Creates an identity from PEM texts; one text may contain both the certificates and the key.
    ///
    /// - Throws: ``CertificateError``.
    public init(certificatePEM: String, privateKeyPEM: String, passphrase: String? = nil) throws(CertificateError) {
        self.init(
            certificates: try Certificate.certificates(pem: certificatePEM),
            privateKey: Data(privateKeyPEM.utf8),
            passphrase: passphrase
        )
    }

    /// Creates an identity from files in PEM or DER.
    ///
    /// - Throws: ``CertificateError``.
    public init(
        certificateFile: URL,
        privateKeyFile: URL,
        passphrase: String? = nil
    ) throws(CertificateError) {
        guard let key = try? Data(contentsOf: privateKeyFile) else {
            throw .unreadableFile(path: privateKeyFile.path)
        }
        self.init(
            certificates: try Certificate.certificates(contentsOf: certificateFile),
            privateKey: key,
            format: key.range(of: Data("-----BEGIN ".utf8)) == nil ? .der : .pem,
            passphrase: passphrase
        )
    }

    /// Creates an identity from a PKCS#12 archive, the content of a `.p12` or `.pfx` file (RFC 7292).
    public init(pkcs12: Data, passphrase: String?) { source = .pkcs12(pkcs12, passphrase: passphrase) }

    /// Creates an identity from a PKCS#12 file, `.p12` or `.pfx`.
    ///
    /// - Throws: ``CertificateError/unreadableFile(path:)``.
    public init(pkcs12File: URL, passphrase: String?) throws(CertificateError) {
        guard let data = try? Data(contentsOf: pkcs12File) else { throw .unreadableFile(path: pkcs12File.path) }
        self.init(pkcs12: data, passphrase: passphrase)
    }

    /// A description with the kind of the identity.
    public var description: String {
        switch source {
        case .certificates(let certificates, _, _, _): "ClientIdentity(\(certificates.count) certificates)"
        case .pkcs12: "ClientIdentity(PKCS#12)"
        }
    }

    /// A mirror without content.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
