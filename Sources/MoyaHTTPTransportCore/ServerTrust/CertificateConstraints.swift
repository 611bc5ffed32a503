import Foundation

/// The limits that a certificate's extensions set to its use (RFC 5280, section 4.2.1).
package struct CertificateConstraints: Equatable {
    /// Whether the certificate can have extensions; a certificate of X.509 version 1 cannot.
    var hasVersion = true
    /// Whether the certificate belongs to an authority (basicConstraints); `nil` without the extension.
    var isAuthority: Bool?
    /// The maximum number of issuers below the certificate.
    var pathLength: Int?
    /// The first bits of keyUsage; `nil` if the extension is missing and any use is allowed.
    var keyUsage: KeyUsage?
    /// Whether extKeyUsage contains serverAuth; `nil` if the extension is missing and any use is allowed.
    var isForServers: Bool?
    /// The object identifier of a critical extension that BoringSSL does not know.
    var unknownCriticalExtension: String?

    /// The uses of a key (RFC 5280, section 4.2.1.3), as the first byte of the bit string.
    struct KeyUsage: OptionSet {
        let rawValue: UInt8

        static let certificateSigning = KeyUsage(rawValue: 0x04)
        /// Digital signature, key encipherment or key agreement.
        static let tls = KeyUsage(rawValue: 0x80 | 0x20 | 0x08)
    }

    /// Creates the constraints of a certificate without extensions.
    init() {}

    /// Reads the extensions; `nil` if they cannot be parsed.
    package init?(_ certificate: Certificate) {
        hasVersion = certificate.fields.hasVersion
        do throws(DERReader.Malformed) {
            for one in try certificate.fields.extensions() { try read(one) }
        } catch {
            return nil
        }
    }

    /// The object identifier 1.3.6.1.5.5.7.3.1.
    private static let serverAuthentication: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]

    private mutating func read(_ one: CertificateFields.Extension) throws(DERReader.Malformed) {
        var reader = DERReader(one.value)
        switch [UInt8](one.identifier) {
        case [0x55, 0x1D, 0x13]:
            var fields = DERReader(try reader.next(DERReader.Tag.sequence).content)
            isAuthority = false
            if fields.nextTag == DERReader.Tag.boolean { isAuthority = try fields.next().content.contains { $0 != 0 } }
            if !fields.isAtEnd {
                let bytes = try fields.next(DERReader.Tag.integer).content.drop { $0 == 0 }
                pathLength = bytes.count > 3 ? .max : bytes.reduce(0) { $0 << 8 | Int($1) }
            }
        case [0x55, 0x1D, 0x0F]:
            // The first byte of a bit string is the number of its unused bits.
            keyUsage = KeyUsage(rawValue: try reader.next(DERReader.Tag.bitString).content.dropFirst().first ?? 0)
        case [0x55, 0x1D, 0x25]:
            var list = DERReader(try reader.next(DERReader.Tag.sequence).content)
            isForServers = false
            while !list.isAtEnd {
                let usage = try list.next(DERReader.Tag.objectIdentifier).content
                if usage.elementsEqual(Self.serverAuthentication) { isForServers = true }
            }
        // BoringSSL also knows these extensions: subject alternative name; certificate policies with their constraints and mappings;
        // name constraints.
        case [0x55, 0x1D, 0x11], [0x55, 0x1D, 0x20], [0x55, 0x1D, 0x24], [0x55, 0x1D, 0x21], [0x55, 0x1D, 0x36],
            [0x55, 0x1D, 0x1E]:
            break
        case let identifier:
            if one.isCritical, unknownCriticalExtension == nil { unknownCriticalExtension = Self.text(identifier) }
        }
    }

    /// Returns an object identifier as text, such as `2.5.29.19` (X.690, section 8.19).
    private static func text(_ identifier: [UInt8]) -> String {
        var numbers: [UInt64] = []
        var number: UInt64 = 0
        for byte in identifier {
            number = (number & (.max >> 7)) << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 {
                numbers.append(number)
                number = 0
            }
        }
        if let first = numbers.first {
            let root = min(first / 40, 2)
            numbers.replaceSubrange(0...0, with: [root, first - root * 40])
        }
        return numbers.map(String.init).joined(separator: ".")
    }

    // MARK: Rules

    /// Whether the certificate may issue other certificates (RFC 5280, section 6.1.4, steps k and n).
    package var canIssue: Bool { isAuthority == true && keyUsage?.contains(.certificateSigning) ?? true }

    /// Whether the certificate may be the root of other certificates.
    ///
    /// As in OpenSSL, a root may be a certificate of version 1, or a certificate without basicConstraints whose keyUsage allows
    /// signing certificates.
    package var canBeRoot: Bool {
        canIssue
            || isAuthority == nil && (keyUsage.map { $0.contains(.certificateSigning) } ?? !hasVersion)
    }

    /// The reason for rejecting the certificate of a server; `nil` if there is none.
    package var rejectionAsServer: ServerTrustError.Reason? {
        if let unknownCriticalExtension { return .unknownCriticalExtension(unknownCriticalExtension) }
        guard isForServers ?? true, keyUsage.map({ !$0.isDisjoint(with: .tls) }) ?? true else { return .wrongUsage }
        return nil
    }

    /// Returns the reason for rejecting the certificate of an issuer; `nil` if there is none.
    ///
    /// - Parameter issuersBelow: The number of issuers between this certificate and the server's, without self-issued ones.
    /// - Returns: The reason.
    package func rejectionAsIssuer(issuersBelow: Int) -> ServerTrustError.Reason? {
        if let unknownCriticalExtension { return .unknownCriticalExtension(unknownCriticalExtension) }
        guard canIssue else { return .issuerIsNotAuthority }
        guard isForServers ?? true else { return .wrongUsage }
        guard let pathLength, issuersBelow > pathLength else { return nil }
        return .pathTooLong(maximum: pathLength)
    }
}
