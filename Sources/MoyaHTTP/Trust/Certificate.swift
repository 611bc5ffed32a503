import Foundation

/// An X.509 certificate: its DER encoding, with access to the public key and the host names.
///
/// Two certificates are equal if their bytes are. A certificate does not imply trust; the evaluators that compare
/// certificates decide about it.
public struct Certificate: Hashable, Sendable {
    /// The DER encoding of the certificate (RFC 5280, section 4.1).
    public let der: Data

    let fields: CertificateFields

    /// Creates a certificate from its DER encoding.
    ///
    /// - Throws: ``CertificateError/notDER``.
    public init(der: Data) throws(CertificateError) {
        guard let fields = try? CertificateFields(der: der) else { throw .notDER }
        self.der = Data(der)
        self.fields = fields
    }

    /// The SHA-256 hash of the certificate's public key, for comparison in a ``PublicKeysTrustEvaluator``.
    public var publicKeyPin: PublicKeyPin { PublicKeyPin(subjectPublicKeyInfo: fields.subjectPublicKeyInfo) }

    /// Returns all certificates in a PEM text, in order (RFC 7468, section 5).
    ///
    /// - Throws: ``CertificateError``.
    public static func certificates(pem: String) throws(CertificateError) -> [Certificate] {
        let blocks = try PEMBlocks.certificates(in: pem)
        guard !blocks.isEmpty else { throw .noCertificateInPEM }
        var certificates: [Certificate] = []
        for block in blocks { certificates.append(try Certificate(der: block)) }
        return certificates
    }

    /// Returns the certificates of a PEM file, or the certificate of a DER file.
    ///
    /// - Throws: ``CertificateError``.
    public static func certificates(contentsOf file: URL) throws(CertificateError) -> [Certificate] {
        guard let data = try? Data(contentsOf: file) else { throw .unreadableFile(path: file.path) }
        if let text = String(data: data, encoding: .utf8), text.contains("-----BEGIN ") {
            return try certificates(pem: text)
        }
        return [try Certificate(der: data)]
    }

    /// Returns the certificates among a bundle's resources with the extensions `.cer`, `.crt`, `.der` and `.pem`.
    ///
    /// Invalid files are ignored. This is safe, since a server that does not match any pin is rejected.
    public static func certificates(in bundle: Bundle) -> [Certificate] {
        ["cer", "CER", "crt", "CRT", "der", "DER", "pem", "PEM"]
            .flatMap { bundle.paths(forResourcesOfType: $0, inDirectory: nil) }
            .flatMap { (try? certificates(contentsOf: URL(fileURLWithPath: $0))) ?? [] }
    }
}

extension Certificate: CustomStringConvertible {
    /// A description with the public key's pin and the host names.
    public var description: String {
        "Certificate(\(([publicKeyPin.description] + fields.names.texts).joined(separator: ", ")))"
    }
}
