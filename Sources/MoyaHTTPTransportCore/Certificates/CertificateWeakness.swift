import Foundation

/// The reason why a certificate is too weak to prove an identity.
public enum CertificateWeakness: Equatable, Sendable {
    /// The RSA key has fewer than 2,048 bits.
    case rsaKey(bits: Int)
    /// The key is on an elliptic curve of fewer than 224 bits.
    case ellipticCurveKey(bits: Int)
    /// The issuer's signature is over a broken hash, such as `SHA-1` or `MD5`.
    case signature(hash: String)
}

extension CertificateWeakness: CustomStringConvertible {
    /// A description without a verb, such as "an RSA key of 1024 bits, with fewer than 2048".
    public var description: String {
        switch self {
        case .rsaKey(let bits): "an RSA key of \(bits) bits, with fewer than \(Self.minimumRSAKey)"
        case .ellipticCurveKey(let bits):
            "a key on an elliptic curve of \(bits) bits, with fewer than \(Self.minimumCurve)"
        case .signature(let hash): "a signature with \(hash), which can be forged"
        }
    }
}

extension CertificateWeakness {
    /// The minimum sizes in bits for a strength of 112 bits (NIST SP 800-57 part 1, section 5.6.1.1).
    private static let minimumRSAKey = 2_048
    private static let minimumCurve = 224

    /// Creates the weakness of a certificate's key or, if the key is strong, of the signature on the certificate; `nil` if both are
    /// strong.
    ///
    /// An unknown kind of key or signature is not weak: the TLS engine decides about it. An RSA key that cannot be parsed
    /// counts as a key of 0 bits.
    init?(_ certificate: Certificate) {
        guard let weakness = Self(key: certificate.fields.subjectPublicKeyInfo) ?? Self(signatureOn: certificate) else {
            return nil
        }
        self = weakness
    }

    /// Creates the weakness of the signature on a certificate; `nil` if the signature is strong.
    package init?(signatureOn certificate: Certificate) { self.init(signature: certificate.fields.signatureAlgorithm) }

    /// Whether a rule can accept the weakness: TLS engines reject hashes older than SHA-1 in any case.
    package var isAcceptable: Bool {
        if case .signature(let hash) = self { hash == "SHA-1" } else { true }
    }

    // MARK: Keys (RFC 3279, section 2.3; RFC 5480, section 2)

    private static let rsaKeys: [[UInt8]] = [
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01], [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A],
    ]
    private static let curveKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]

    private init?(key subjectPublicKeyInfo: Data) {
        var outer = DERReader(subjectPublicKeyInfo)
        guard var fields = (try? outer.next(DERReader.Tag.sequence)).map({ DERReader($0.content) }),
            var algorithm = (try? fields.next(DERReader.Tag.sequence)).map({ DERReader($0.content) }),
            let identifier = (try? algorithm.next(DERReader.Tag.objectIdentifier))?.content,
            // The first byte of a bit string is the number of its unused bits.
            let key = (try? fields.next(DERReader.Tag.bitString))?.content.dropFirst()
        else { return nil }
        if Self.rsaKeys.contains(where: identifier.elementsEqual) {
            let bits = Self.modulusBits(of: key)
            guard bits < Self.minimumRSAKey else { return nil }
            self = .rsaKey(bits: bits)
        } else if identifier.elementsEqual(Self.curveKey) {
            let bits = Self.curveBits(of: key)
            guard bits < Self.minimumCurve else { return nil }
            self = .ellipticCurveKey(bits: bits)
        } else {
            return nil
        }
    }

    private static func modulusBits(of key: Data) -> Int {
        var outer = DERReader(key)
        guard var numbers = (try? outer.next(DERReader.Tag.sequence)).map({ DERReader($0.content) }),
            let modulus = (try? numbers.next(DERReader.Tag.integer))?.content.drop(while: { $0 == 0 }),
            let first = modulus.first
        else { return 0 }
        return modulus.count * 8 - first.leadingZeroBitCount
    }

    /// Returns the size of a point's coordinates (SEC 1, section 2.3.3) in bits, rounded up to whole bytes.
    private static func curveBits(of point: Data) -> Int {
        let coordinates = max(0, point.count - 1)
        let isCompressed = [0x02, 0x03].contains(point.first)
        return (isCompressed ? coordinates : coordinates / 2) * 8
    }

    // MARK: Signatures (RFC 3279, section 2.2; RFC 4055, section 3.1)

    private static let weakSignatures: [(identifier: [UInt8], hash: String)] = [
        ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x02], "MD2"),
        ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x03], "MD4"),
        ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x04], "MD5"),
        ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05], "SHA-1"),
        ([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01], "SHA-1"),
        ([0x2A, 0x86, 0x48, 0xCE, 0x38, 0x04, 0x03], "SHA-1"),
        // Identifiers of the OIW Security Special Interest Group, which predate PKCS#1.
        ([0x2B, 0x0E, 0x03, 0x02, 0x03], "MD5"), ([0x2B, 0x0E, 0x03, 0x02, 0x1B], "SHA-1"),
        ([0x2B, 0x0E, 0x03, 0x02, 0x1D], "SHA-1"),
    ]
    private static let pss: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A]
    private static let weakHashes: [(identifier: [UInt8], hash: String)] = [
        ([0x2B, 0x0E, 0x03, 0x02, 0x1A], "SHA-1"),
        ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, 0x05], "MD5"),
    ]

    private init?(signature algorithm: Data) {
        var fields = DERReader(algorithm)
        guard let identifier = (try? fields.next(DERReader.Tag.objectIdentifier))?.content else { return nil }
        if let weak = Self.weakSignatures.first(where: { identifier.elementsEqual($0.identifier) }) {
            self = .signature(hash: weak.hash)
        } else if identifier.elementsEqual(Self.pss) {
            guard let hash = Self.weakHash(ofPSS: fields) else { return nil }
            self = .signature(hash: hash)
        } else {
            return nil
        }
    }

    /// Returns the hash in RSASSA-PSS parameters, which is SHA-1 by default; `nil` if the hash is not weak.
    private static func weakHash(ofPSS rest: DERReader) -> String? {
        let usual = "SHA-1"
        var rest = rest
        guard var parameters = (try? rest.next(DERReader.Tag.sequence)).map({ DERReader($0.content) }),
            parameters.nextTag == DERReader.Tag.context(0, isConstructed: true),
            var wrapped = (try? parameters.next()).map({ DERReader($0.content) }),
            var algorithm = (try? wrapped.next(DERReader.Tag.sequence)).map({ DERReader($0.content) }),
            let identifier = (try? algorithm.next(DERReader.Tag.objectIdentifier))?.content
        else { return usual }
        return weakHashes.first { identifier.elementsEqual($0.identifier) }?.hash
    }
}
