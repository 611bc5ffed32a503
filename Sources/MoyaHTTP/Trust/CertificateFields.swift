import Foundation

/// The fields of a certificate that are parsed (RFC 5280, section 4.1): its public key and its names.
struct CertificateFields: Hashable {
    /// The DER encoding of the SubjectPublicKeyInfo.
    let subjectPublicKeyInfo: Data
    /// The names that the certificate is valid for.
    let names: Names

    /// The subject alternative names for hosts (RFC 5280, section 4.2.1.6).
    struct Names: Hashable {
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
        // Signature algorithm and signature.
        _ = try certificate.next(DERReader.Tag.sequence)
        _ = try certificate.next()
        guard certificate.isAtEnd else { throw DERReader.Malformed() }
        try fields.skip(DERReader.Tag.context(0, isConstructed: true))
        // Serial number, signature algorithm, issuer, validity, subject.
        for _ in 0..<5 { _ = try fields.next() }
        subjectPublicKeyInfo = try fields.next(DERReader.Tag.sequence).encoding
        try fields.skip(DERReader.Tag.context(1, isConstructed: false))
        try fields.skip(DERReader.Tag.context(2, isConstructed: false))
        guard fields.nextTag == DERReader.Tag.context(3, isConstructed: true) else {
            names = Names()
            return
        }
        var wrapped = DERReader(try fields.next().content)
        names = try Self.names(inExtensions: wrapped.next(DERReader.Tag.sequence).content)
    }

    private static func names(inExtensions data: Data) throws(DERReader.Malformed) -> Names {
        var extensions = DERReader(data)
        while !extensions.isAtEnd {
            var one = DERReader(try extensions.next(DERReader.Tag.sequence).content)
            let identifier = try one.next(DERReader.Tag.objectIdentifier).content
            try one.skip(DERReader.Tag.boolean)
            let value = try one.next(DERReader.Tag.octetString).content
            if identifier.elementsEqual(subjectAlternativeName) { return try names(inValue: value) }
        }
        return Names()
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
