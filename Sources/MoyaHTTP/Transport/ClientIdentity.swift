import Foundation

/// A certificate with its private key, by which a client makes itself known to a server (mutual TLS).
///
/// What it holds is looked at when a transport is made: one that can't use it says so then, in a
/// ``TransportConfigurationError`` that shows neither key nor passphrase. Nor does any description.
public struct ClientIdentity: Sendable, CustomStringConvertible, CustomReflectable {
    /// How the bytes of a private key are written.
    public enum KeyFormat: Sendable {
        /// A text with `-----BEGIN … PRIVATE KEY-----`.
        case pem
        /// PKCS#8, PKCS#1 or SEC1 in DER.
        case der
    }

    enum Source: Sendable {
        case certificates([Certificate], key: Data, KeyFormat, passphrase: String?)
        case pkcs12(Data, passphrase: String?)
    }

    let source: Source

    /// Takes a certificate, followed by those that lead to its root, and its private key.
    ///
    /// - Parameters:
    ///   - certificates: The client's own certificate first.
    ///   - privateKey: The key's bytes.
    ///   - format: How they are written.
    ///   - passphrase: What the key is encrypted with, if it is. Only PEM can be.
    public init(
        certificates: [Certificate],
        privateKey: Data,
        format: KeyFormat = .pem,
        passphrase: String? = nil
    ) {
        source = .certificates(certificates, key: privateKey, format, passphrase: passphrase)
    }

    /// Takes both from PEM texts. They may be the same one.
    ///
    /// - Throws: ``CertificateError``.
    public init(certificatePEM: String, privateKeyPEM: String, passphrase: String? = nil) throws(CertificateError) {
        self.init(
            certificates: try Certificate.certificates(pem: certificatePEM),
            privateKey: Data(privateKeyPEM.utf8),
            passphrase: passphrase
        )
    }

    /// Takes both from files, the certificates in PEM or DER and the key in either.
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

    /// Takes both from a PKCS#12 archive, a `.p12` or `.pfx` file's bytes (RFC 7292).
    public init(pkcs12: Data, passphrase: String?) { source = .pkcs12(pkcs12, passphrase: passphrase) }

    /// Takes both from a PKCS#12 file, `.p12` or `.pfx`.
    ///
    /// - Throws: ``CertificateError/unreadableFile(path:)``.
    public init(pkcs12File: URL, passphrase: String?) throws(CertificateError) {
        guard let data = try? Data(contentsOf: pkcs12File) else { throw .unreadableFile(path: pkcs12File.path) }
        self.init(pkcs12: data, passphrase: passphrase)
    }

    /// What kind it is.
    public var description: String {
        switch source {
        case .certificates(let certificates, _, _, _): "ClientIdentity(\(certificates.count) certificates)"
        case .pkcs12: "ClientIdentity(PKCS#12)"
        }
    }

    /// Nothing of what is inside.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
