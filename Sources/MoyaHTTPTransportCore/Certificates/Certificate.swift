import Foundation
import MoyaPublicSuffixList

/// An X.509 certificate: its DER encoding, with access to the public key, the names and the period of validity.
///
/// Two certificates are equal if their bytes are equal. A certificate alone does not imply trust; the evaluators that compare
/// certificates decide about trust.
public struct Certificate: Hashable, Sendable {
    /// The DER encoding of the certificate (RFC 5280, section 4.1).
    public let der: Data

    package let fields: CertificateFields

    /// Creates a certificate from its DER encoding.
    ///
    /// - Throws: ``CertificateError/notDER``.
    public init(der: Data) throws(CertificateError) {
        guard let fields = try? CertificateFields(der: der) else { throw .notDER }
        self.der = Data(der)
        self.fields = fields
    }

    /// Unavailable: a PEM text can contain several certificates.
    @available(*, unavailable, message: "Write `try Certificate.certificates(pem: text)`: it returns each of them.")
    public init(pem: String) throws(CertificateError) { throw .noCertificateInPEM }

    /// The SHA-256 hash of the certificate's public key, for comparison in a ``PublicKeysTrustEvaluator``.
    public var publicKeyPin: PublicKeyPin { PublicKeyPin(subjectPublicKeyInfo: fields.subjectPublicKeyInfo) }

    /// The distinguished name of the subject, such as `CN=api.example.com, O=Example`, for errors and logs.
    ///
    /// It is empty if the name has none of the common attributes. It does not determine the hosts that the certificate is valid for.
    public var subject: String { fields.text.subject }

    /// The distinguished name of the issuer, such as `CN=Example Root, O=Example`.
    public var issuer: String { fields.text.issuer }

    /// Whether the subject and the issuer are the same, as in a self-signed certificate.
    public var isSelfIssued: Bool { fields.text.isSelfIssued }

    /// The time before which the certificate is not valid; `nil` if it is not a date.
    public var notBefore: Date? { fields.text.notBefore }

    /// The time after which the certificate is not valid; `nil` if it is not a date.
    public var notAfter: Date? { fields.text.notAfter }

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

/// The fields of a certificate that are parsed (RFC 5280, section 4.1).
package struct CertificateFields: Hashable {
    /// The DER encoding of the SubjectPublicKeyInfo.
    let subjectPublicKeyInfo: Data
    /// The content of the AlgorithmIdentifier of the signature on the certificate.
    let signatureAlgorithm: Data
    /// Whether the certificate has a version field and can therefore have extensions; version 1 has neither.
    let hasVersion: Bool
    /// The names that the certificate is valid for.
    package let names: Names
    let text: CertificateText
    /// The DER encodings of the extensions.
    private let extensionList: Data

    /// The subject alternative names for hosts (RFC 5280, section 4.2.1.6).
    package struct Names: Hashable {
        /// The host names as encoded, including wildcards.
        var dns: [String] = []
        /// The IP addresses, four or sixteen bytes each.
        var addresses: [Data] = []
    }

    /// The object identifier 2.5.29.17.
    private static let subjectAlternativeName: [UInt8] = [0x55, 0x1D, 0x11]

    init(der: Data) throws(DERReader.Malformed) {
        var file = DERReader(der)
        var certificate = DERReader(try file.next(DERReader.Tag.sequence).content)
        guard file.isAtEnd else { throw DERReader.Malformed() }
        var fields = DERReader(try certificate.next(DERReader.Tag.sequence).content)
        signatureAlgorithm = try certificate.next(DERReader.Tag.sequence).content
        // Skip the signature.
        _ = try certificate.next()
        guard certificate.isAtEnd else { throw DERReader.Malformed() }
        hasVersion = fields.nextTag == DERReader.Tag.context(0, isConstructed: true)
        try fields.skip(DERReader.Tag.context(0, isConstructed: true))
        // Skip the serial number and the signature algorithm.
        for _ in 0..<2 { _ = try fields.next() }
        let (issuer, validity, subject) = (try fields.next(), try fields.next(), try fields.next())
        text = CertificateText(subject: subject, issuer: issuer, validity: validity)
        subjectPublicKeyInfo = try fields.next(DERReader.Tag.sequence).encoding
        try fields.skip(DERReader.Tag.context(1, isConstructed: false))
        try fields.skip(DERReader.Tag.context(2, isConstructed: false))
        guard fields.nextTag == DERReader.Tag.context(3, isConstructed: true) else {
            (names, extensionList) = (Names(), Data())
            return
        }
        var wrapped = DERReader(try fields.next().content)
        extensionList = try wrapped.next(DERReader.Tag.sequence).content
        let all = try Self.extensions(in: extensionList)
        let alternative = all.first { $0.identifier.elementsEqual(Self.subjectAlternativeName) }
        names =
            try alternative.map { value throws(DERReader.Malformed) in try Self.names(inValue: value.value) } ?? Names()
    }

    /// An extension (RFC 5280, section 4.2).
    struct Extension {
        let identifier: Data
        let isCritical: Bool
        let value: Data
    }

    func extensions() throws(DERReader.Malformed) -> [Extension] { try Self.extensions(in: extensionList) }

    private static func extensions(in data: Data) throws(DERReader.Malformed) -> [Extension] {
        var list: [Extension] = []
        var extensions = DERReader(data)
        while !extensions.isAtEnd {
            var one = DERReader(try extensions.next(DERReader.Tag.sequence).content)
            let identifier = try one.next(DERReader.Tag.objectIdentifier).content
            var isCritical = false
            if one.nextTag == DERReader.Tag.boolean { isCritical = try one.next().content.contains { $0 != 0 } }
            let value = try one.next(DERReader.Tag.octetString).content
            list.append(Extension(identifier: identifier, isCritical: isCritical, value: value))
        }
        return list
    }

    private static func names(inValue data: Data) throws(DERReader.Malformed) -> Names {
        var value = DERReader(data)
        var list = DERReader(try value.next(DERReader.Tag.sequence).content)
        var names = Names()
        while !list.isAtEnd {
            let name = try list.next()
            switch name.tag {
            case DERReader.Tag.context(2, isConstructed: false):
                // A name with a NUL or another invalid byte does not match any host.
                names.dns.append(String(decoding: name.content, as: UTF8.self))
            case DERReader.Tag.context(7, isConstructed: false):
                names.addresses.append(Data(name.content))
            default:
                break
            }
        }
        return names
    }
}

extension CertificateFields.Names {
    /// Returns whether the certificate is valid for a host (RFC 9525, section 6).
    ///
    /// The common name is ignored, and a wildcard matches exactly one label, the leftmost one.
    func matches(host: String) -> Bool {
        let host = HostName(host)
        if let address = host.address { return addresses.contains(address.bytes) }
        return dns.contains { HostName.Pattern($0)?.matches(host) == true }
    }

    /// The names as text, for errors.
    package var texts: [String] {
        dns
            + addresses.map { bytes in
                IPAddress(bytes: bytes)?.text ?? bytes.map { String($0, radix: 16) }.joined(separator: ":")
            }
    }
}

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

extension CertificateError: MaskedError {
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
