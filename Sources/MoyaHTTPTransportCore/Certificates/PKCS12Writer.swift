import Foundation

/// A writer of PKCS#12 archives (RFC 7292), the only form in which Security takes a private key without a keychain.
///
/// An archive is encrypted with triple DES and has a MAC with SHA-1, because every version of Apple's importers reads this form, and
/// all of them ignore unencrypted keys. The encryption need not protect the key, because the archive exists only in memory, during
/// its import, beside the key itself.
package struct PKCS12Writer: Sendable {
    /// Returns the SHA-1 hash of bytes.
    var sha1: @Sendable ([UInt8]) -> [UInt8]
    /// Encrypts with three-key triple DES in CBC mode, with the padding of PKCS#7; `nil` if that fails.
    var encrypt: @Sendable (_ bytes: Data, _ key: [UInt8], _ initialVector: [UInt8]) -> Data?
    /// The number of iterations in a key derivation, which is the same as in archives of OpenSSL.
    var iterations: Int

    package init(
        sha1: @escaping @Sendable ([UInt8]) -> [UInt8],
        encrypt: @escaping @Sendable (_ bytes: Data, _ key: [UInt8], _ initialVector: [UInt8]) -> Data?,
        iterations: Int = 2048
    ) {
        (self.sha1, self.encrypt, self.iterations) = (sha1, encrypt, iterations)
    }

    /// Returns an archive with a key and the certificates, of which the first belongs to the key; `nil` if the encryption fails.
    func archive(
        _ key: PrivateKeyInfo,
        _ certificates: [Certificate],
        passphrase: String,
        keySalt: [UInt8] = salt(),
        macSalt: [UInt8] = salt()
    ) -> Data? {
        let secret = Self.bytes(of: passphrase)
        let desKey = derive(.key, passphrase: secret, salt: keySalt, count: 24)
        guard
            let encrypted = encrypt(
                key.der,
                desKey,
                derive(.initialVector, passphrase: secret, salt: keySalt, count: 8)
            )
        else {
            return nil
        }
        // The identifier links the key to its certificate.
        let identifier = attribute(certificates.first.map { sha1(Array($0.der)) } ?? [])
        let parameters = DERWriter.sequence(DERWriter.octets(Data(keySalt)), DERWriter.integer(iterations))
        let algorithm = DERWriter.sequence(DERWriter.identifier(Identifier.tripleDES), parameters)
        var bags = bag(
            Identifier.shroudedKeyBag,
            DERWriter.sequence(algorithm, DERWriter.octets(encrypted)),
            attribute: identifier
        )
        for (index, certificate) in certificates.enumerated() {
            let value = DERWriter.sequence(
                DERWriter.identifier(Identifier.x509Certificate),
                DERWriter.tagged(0, DERWriter.octets(certificate.der))
            )
            bags += bag(Identifier.certificateBag, value, attribute: index == 0 ? identifier : nil)
        }
        let safes = DERWriter.sequence(data(DERWriter.element(DERReader.Tag.sequence, bags)))
        let mac = hmac(Array(safes), key: derive(.mac, passphrase: secret, salt: macSalt, count: 20))
        let digest = DERWriter.sequence(
            DERWriter.sequence(DERWriter.identifier(Identifier.sha1), DERWriter.null),
            DERWriter.octets(Data(mac))
        )
        return DERWriter.sequence(
            DERWriter.integer(3),
            data(safes),
            DERWriter.sequence(digest, DERWriter.octets(Data(macSalt)), DERWriter.integer(iterations))
        )
    }

    /// Returns a random salt for a derivation.
    static func salt() -> [UInt8] { (0..<8).map { _ in UInt8.random(in: 0...UInt8.max) } }

    // MARK: Structures (RFC 7292, sections 4 and 5)

    private func data(_ content: Data) -> Data {
        DERWriter.sequence(DERWriter.identifier(Identifier.data), DERWriter.tagged(0, DERWriter.octets(content)))
    }

    private func bag(_ kind: [UInt8], _ value: Data, attribute: Data?) -> Data {
        DERWriter.sequence(
            DERWriter.identifier(kind),
            DERWriter.tagged(0, value),
            attribute.map(DERWriter.set) ?? Data()
        )
    }

    private func attribute(_ identifier: [UInt8]) -> Data {
        DERWriter.sequence(
            DERWriter.identifier(Identifier.localKeyID),
            DERWriter.set(DERWriter.octets(Data(identifier)))
        )
    }

    /// The contents of object identifiers; those of PKCS begin with 1.2.840.113549.1.
    private enum Identifier {
        static let pkcs: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01]
        static let data = pkcs + [7, 1]
        static let localKeyID = pkcs + [9, 21]
        static let x509Certificate = pkcs + [9, 22, 1]
        static let tripleDES = pkcs + [12, 1, 3]
        static let shroudedKeyBag = pkcs + [12, 10, 1, 2]
        static let certificateBag = pkcs + [12, 10, 1, 3]
        static let sha1: [UInt8] = [0x2B, 0x0E, 0x03, 0x02, 0x1A]
    }

    // MARK: Keys (RFC 7292, appendix B)

    /// The purposes of derived bytes (appendix B.3).
    enum Purpose: UInt8 {
        case key = 1
        case initialVector
        case mac
    }

    /// Returns a passphrase as a BMPString with a terminator (appendix B.1).
    static func bytes(of passphrase: String) -> [UInt8] {
        passphrase.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] } + [0, 0]
    }

    /// Derives bytes from a passphrase (appendix B.2).
    func derive(_ purpose: Purpose, passphrase: [UInt8], salt: [UInt8], count: Int) -> [UInt8] {
        let blockSize = 64
        func filled(_ bytes: [UInt8]) -> [UInt8] {
            let size = (bytes.count + blockSize - 1) / blockSize * blockSize
            return (0..<size).map { bytes[$0 % bytes.count] }
        }
        let diversifier = [UInt8](repeating: purpose.rawValue, count: blockSize)
        var input = filled(salt) + filled(passphrase)
        var derived: [UInt8] = []
        while derived.count < count {
            var hash = sha1(diversifier + input)
            for _ in stride(from: 1, to: iterations, by: 1) { hash = sha1(hash) }
            derived += hash
            // Each block of the input is a number. The hash, as a number, and 1 are added to it.
            let addend = filled(hash)
            for start in stride(from: 0, to: input.count, by: blockSize) {
                var carry = 1
                for offset in (0..<blockSize).reversed() {
                    carry += Int(input[start + offset]) + Int(addend[offset])
                    input[start + offset] = UInt8(truncatingIfNeeded: carry)
                    carry >>= 8
                }
            }
        }
        return Array(derived.prefix(count))
    }

    /// Returns an HMAC with SHA-1 (RFC 2104); the key must not be longer than a block.
    private func hmac(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        let padded = key + [UInt8](repeating: 0, count: 64 - key.count)
        return sha1(padded.map { $0 ^ 0x5C } + sha1(padded.map { $0 ^ 0x36 } + bytes))
    }
}
