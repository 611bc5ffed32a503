import Foundation

/// An X.509 certificate: its DER bytes, of which the public key and the host names are understood.
///
/// Two are equal when their bytes are. It says nothing of trust: whoever compares certificates does.
public struct Certificate: Hashable, Sendable {
    /// The certificate as it stands (RFC 5280, section 4.1).
    public let der: Data

    let fields: CertificateFields

    /// Takes a certificate's DER bytes.
    ///
    /// - Throws: ``CertificateError/notDER``.
    public init(der: Data) throws(CertificateError) {
        guard let fields = try? CertificateFields(der: der) else { throw .notDER }
        self.der = Data(der)
        self.fields = fields
    }

    /// The SHA-256 of the certificate's public key, as a ``PublicKeysTrustEvaluator`` compares it.
    public var publicKeyPin: PublicKeyPin { PublicKeyPin(subjectPublicKeyInfo: fields.subjectPublicKeyInfo) }

    /// All certificates in a PEM text, in its order (RFC 7468, section 5).
    ///
    /// - Throws: ``CertificateError``.
    public static func certificates(pem: String) throws(CertificateError) -> [Certificate] {
        let blocks = try PEMBlocks.certificates(in: pem)
        guard !blocks.isEmpty else { throw .noCertificateInPEM }
        var certificates: [Certificate] = []
        for block in blocks { certificates.append(try Certificate(der: block)) }
        return certificates
    }

    /// The certificates of a file in PEM, or the one of a file in DER.
    ///
    /// - Throws: ``CertificateError``.
    public static func certificates(contentsOf file: URL) throws(CertificateError) -> [Certificate] {
        guard let data = try? Data(contentsOf: file) else { throw .unreadableFile(path: file.path) }
        if let text = String(data: data, encoding: .utf8), text.contains("-----BEGIN ") {
            return try certificates(pem: text)
        }
        return [try Certificate(der: data)]
    }

    /// The certificates among a bundle's resources: its files named `.cer`, `.crt`, `.der` and `.pem`.
    ///
    /// Files that are no certificates are left out: a pin that is missing refuses, it doesn't let pass.
    public static func certificates(in bundle: Bundle) -> [Certificate] {
        ["cer", "CER", "crt", "CRT", "der", "DER", "pem", "PEM"]
            .flatMap { bundle.paths(forResourcesOfType: $0, inDirectory: nil) }
            .flatMap { (try? certificates(contentsOf: URL(fileURLWithPath: $0))) ?? [] }
    }
}

extension Certificate: CustomStringConvertible {
    /// The public key's pin and the host names.
    public var description: String {
        "Certificate(\(([publicKeyPin.description] + fields.names.texts).joined(separator: ", ")))"
    }
}
