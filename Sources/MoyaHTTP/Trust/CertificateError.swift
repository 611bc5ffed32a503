import Foundation

/// An error for bytes that are not a ``Certificate``, or a text that is not a ``PublicKeyPin``.
public enum CertificateError: Error, Equatable, Sendable {
    /// The bytes are not an X.509 certificate in DER.
    case notDER
    /// The text does not contain `-----BEGIN CERTIFICATE-----`.
    case noCertificateInPEM
    /// The text between `BEGIN` and `END` is not Base64, or `END` is missing.
    case malformedPEM
    /// The file cannot be read.
    case unreadableFile(path: String)
    /// The text is not a pin: an optional `sha256/` or `pin-sha256="…"`, and 32 bytes in Base64.
    case malformedPin(String)
}

extension CertificateError: LocalizedError {
    /// A sentence that describes the problem.
    public var errorDescription: String? {
        switch self {
        case .notDER:
            "The bytes are not an X.509 certificate in DER: for a PEM file use Certificate.certificates(pem:)."
        case .noCertificateInPEM:
            "There is no certificate in the PEM text: it needs a line \"-----BEGIN CERTIFICATE-----\"."
        case .malformedPEM:
            "A certificate in the PEM text is damaged: the text between BEGIN and END must be Base64."
        case .unreadableFile(let path):
            "The certificate file \"\(path)\" cannot be read."
        case .malformedPin(let text):
            "\"\(text)\" is not a public key pin: write the SHA-256 of the SubjectPublicKeyInfo in Base64, as in"
                + " \"sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\"."
        }
    }
}
