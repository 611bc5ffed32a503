import Foundation

/// A private RSA or EC key in PKCS#8 (RFC 5958, section 2), converted from the forms in which keys are stored.
struct PrivateKeyInfo: Equatable, Sendable {
    /// The reason why a key cannot be converted.
    enum Failure: Error, Equatable {
        /// The key is encrypted, as PEM or PKCS#8.
        case encrypted
        /// The bytes are not a private key, or its form is unknown.
        case malformed
        /// The key is neither for RSA nor for a named elliptic curve.
        case unsupportedKind
    }

    /// The encoding of the PrivateKeyInfo.
    let der: Data
    /// The public key as in a certificate's SubjectPublicKeyInfo, if the private key includes it.
    private let publicKey: Data?

    private static let rsa: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    private static let ellipticCurve: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]

    /// Converts the first private key of a PEM text (RFC 7468): `PRIVATE KEY`, `RSA PRIVATE KEY` or `EC PRIVATE KEY`.
    init(pem text: String) throws(Failure) {
        var base64: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("-----BEGIN "), line.hasSuffix("PRIVATE KEY-----") {
                if line.hasPrefix("-----BEGIN ENCRYPTED") { throw .encrypted }
                base64 = ""
            } else if line.hasPrefix("-----END "), let text = base64 {
                guard let data = Data(base64Encoded: text) else { throw .malformed }
                try self.init(der: data)
                return
            } else if line.contains(":") {
                // The line is a header (RFC 1421), which only encrypted keys have.
                if base64 != nil { throw .encrypted }
            } else {
                base64?.append(line)
            }
        }
        throw .malformed
    }

    /// Converts a key in PKCS#8, PKCS#1 (RFC 8017, appendix A.1.2) or SEC 1 (RFC 5915, section 3).
    init(der: Data) throws(Failure) {
        do {
            self = try Self.read(der)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .malformed
        }
    }

    private init(_ der: Data, publicKey: Data?) {
        self.der = der
        self.publicKey = publicKey
    }

    /// Returns whether the key belongs to a certificate; `nil` if that is unknown because an EC key does not include its public key.
    func matches(_ certificate: Certificate) -> Bool? {
        guard let publicKey else { return nil }
        var file = DERReader(certificate.fields.subjectPublicKeyInfo)
        guard var info = (try? file.next(DERReader.Tag.sequence)).map({ DERReader($0.content) }),
            (try? info.next(DERReader.Tag.sequence)) != nil, let bits = try? info.next(DERReader.Tag.bitString)
        else { return false }
        return bits.content == publicKey
    }

    private static func read(_ der: Data) throws -> PrivateKeyInfo {
        var file = DERReader(der)
        var key = DERReader(try file.next(DERReader.Tag.sequence).content)
        guard file.isAtEnd else { throw Failure.malformed }
        // An EncryptedPrivateKeyInfo begins with its algorithm, and all other forms begin with a version.
        if key.nextTag == DERReader.Tag.sequence { throw Failure.encrypted }
        _ = try key.next(DERReader.Tag.integer)
        switch key.nextTag {
        case DERReader.Tag.integer:
            return try wrapped(der, rsa, parameters: DERWriter.null)
        case DERReader.Tag.octetString:
            guard let curve = try fields(of: der).curve else { throw Failure.unsupportedKind }
            return try wrapped(der, ellipticCurve, parameters: curve)
        case DERReader.Tag.sequence:
            var algorithm = DERReader(try key.next().content)
            let identifier = try algorithm.next(DERReader.Tag.objectIdentifier).content
            let inner = try key.next(DERReader.Tag.octetString).content
            return PrivateKeyInfo(der, publicKey: try publicKey(of: inner, identifier))
        default:
            throw Failure.malformed
        }
    }

    private static func wrapped(_ key: Data, _ algorithm: [UInt8], parameters: Data) throws -> PrivateKeyInfo {
        let der = DERWriter.sequence(
            DERWriter.integer(0),
            DERWriter.sequence(DERWriter.identifier(algorithm), parameters),
            DERWriter.octets(key)
        )
        return PrivateKeyInfo(der, publicKey: try publicKey(of: key, Data(algorithm)))
    }

    /// Returns the public key as the content of a certificate's BIT STRING; `nil` if an EC key does not include it.
    private static func publicKey(of key: Data, _ algorithm: Data) throws -> Data? {
        if algorithm.elementsEqual(rsa) {
            var file = DERReader(key)
            var numbers = DERReader(try file.next(DERReader.Tag.sequence).content)
            _ = try numbers.next(DERReader.Tag.integer)
            let modulus = try numbers.next(DERReader.Tag.integer).encoding
            let exponent = try numbers.next(DERReader.Tag.integer).encoding
            return Data([0]) + DERWriter.sequence(modulus, exponent)
        }
        guard algorithm.elementsEqual(ellipticCurve) else { throw Failure.unsupportedKind }
        return try fields(of: key).publicKey
    }

    /// Returns the optional fields of an ECPrivateKey.
    private static func fields(of key: Data) throws -> (curve: Data?, publicKey: Data?) {
        var file = DERReader(key)
        var fields = DERReader(try file.next(DERReader.Tag.sequence).content)
        _ = try fields.next(DERReader.Tag.integer)
        _ = try fields.next(DERReader.Tag.octetString)
        var found: (curve: Data?, publicKey: Data?)
        while !fields.isAtEnd {
            let field = try fields.next()
            var content = DERReader(field.content)
            switch field.tag {
            case DERReader.Tag.context(0, isConstructed: true):
                // The parameters of an unnamed curve are a sequence, and are not supported.
                if content.nextTag == DERReader.Tag.objectIdentifier { found.curve = try content.next().encoding }
            case DERReader.Tag.context(1, isConstructed: true):
                found.publicKey = try content.next(DERReader.Tag.bitString).content
            default: break
            }
        }
        return found
    }
}
