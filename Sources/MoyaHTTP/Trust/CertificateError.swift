import Foundation

/// Why bytes are no ``Certificate``, or a text no ``PublicKeyPin``.
public enum CertificateError: Error, Equatable, Sendable {
    /// The bytes are no X.509 certificate in DER.
    case notDER
    /// The text has no `-----BEGIN CERTIFICATE-----`.
    case noCertificateInPEM
    /// The text between a certificate's `BEGIN` and `END` is no Base64, or there is no `END`.
    case malformedPEM
    /// The file can't be read.
    case unreadableFile(path: String)
    /// The text is no pin: `sha256/`, `pin-sha256="…"` or nothing, and then 32 bytes in Base64.
    case malformedPin(String)
}

extension CertificateError: LocalizedError {
    /// What is wrong, in one sentence.
    public var errorDescription: String? {
        switch self {
        case .notDER:
            "The bytes are not an X.509 certificate in DER: for a PEM file use Certificate.certificates(pem:)."
        case .noCertificateInPEM:
            "There is no certificate in the PEM text: it needs a line \"-----BEGIN CERTIFICATE-----\"."
        case .malformedPEM:
            "A certificate in the PEM text is damaged: between BEGIN and END must be Base64."
        case .unreadableFile(let path):
            "The certificate file \"\(path)\" cannot be read."
        case .malformedPin(let text):
            "\"\(text)\" is not a public key pin: write the SHA-256 of the SubjectPublicKeyInfo in Base64, as in"
                + " \"sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\"."
        }
    }
}
