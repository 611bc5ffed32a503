import Foundation

/// A parser for the certificates in a PEM text (RFC 7468).
enum PEMBlocks {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    /// Returns the bytes of each certificate, in order.
    ///
    /// Other blocks, and text between blocks, are skipped.
    static func certificates(in text: String) throws(CertificateError) -> [Data] {
        var blocks: [Data] = []
        var base64: String?
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map({ String(Substring($0)) }) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line == begin {
                guard base64 == nil else { throw .malformedPEM }
                base64 = ""
            } else if line == end {
                guard let text = base64, let data = Data(base64Encoded: text), !data.isEmpty else {
                    throw .malformedPEM
                }
                blocks.append(data)
                base64 = nil
            } else {
                base64?.append(line)
            }
        }
        guard base64 == nil else { throw .malformedPEM }
        return blocks
    }
}
