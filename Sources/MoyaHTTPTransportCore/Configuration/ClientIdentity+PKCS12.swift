import Foundation

extension ClientIdentity {
    /// Returns the identity as a PKCS#12 archive with its passphrase, for a transport that takes no other form.
    ///
    /// - Parameters:
    ///   - writer: Writes the archive for a certificate and a key.
    ///   - transport: The name of the transport, for the error.
    /// - Returns: The archive and its passphrase. An identity that is an archive already is returned without a check.
    /// - Throws: An error if the key cannot be written, or does not belong to the first certificate.
    package func archive(
        by writer: PKCS12Writer,
        for transport: String
    ) throws(TransportConfigurationError) -> (data: Data, passphrase: String) {
        switch source {
        case .pkcs12(let data, let passphrase): return (data, passphrase ?? "")
        case .certificates(let certificates, let bytes, let format, _):
            guard let first = certificates.first else {
                throw .invalid(.clientIdentity, reason: "A certificate is missing or cannot be read.")
            }
            let key = try Self.key(bytes, format, for: transport)
            if key.matches(first) == false {
                throw .invalid(.clientIdentity, reason: "The private key does not belong to the first certificate.")
            }
            let passphrase = UUID().uuidString
            guard let data = writer.archive(key, certificates, passphrase: passphrase) else {
                throw .invalid(.clientIdentity, reason: "The private key could not be encrypted.")
            }
            return (data, passphrase)
        }
    }

    private static func key(
        _ bytes: Data,
        _ format: KeyFormat,
        for transport: String
    ) throws(TransportConfigurationError) -> PrivateKeyInfo {
        do throws(PrivateKeyInfo.Failure) {
            return format == .der
                ? try PrivateKeyInfo(der: bytes) : try PrivateKeyInfo(pem: String(decoding: bytes, as: UTF8.self))
        } catch {
            switch error {
            case .malformed:
                throw .invalid(.clientIdentity, reason: "The private key is damaged, or of an unknown kind.")
            case .encrypted:
                throw .unsupported(
                    .clientIdentity,
                    transport: transport,
                    reason: "It reads no encrypted PEM and DER keys. Decrypt the key, or use a PKCS#12 archive."
                )
            case .unsupportedKind:
                throw .unsupported(
                    .clientIdentity,
                    transport: transport,
                    reason: "Its keys are RSA keys and EC keys with a named curve."
                )
            }
        }
    }
}
