import Foundation

/// The hash functions of Digest (RFC 7616, section 6.1).
package enum DigestHash: Equatable, Hashable, Sendable, CaseIterable {
    case md5
    case sha256
    case sha512256

    /// The name in the registry.
    package var name: String {
        switch self {
        case .md5: "MD5"
        case .sha256: "SHA-256"
        case .sha512256: "SHA-512-256"
        }
    }

    package var function: any HashFunction.Type {
        switch self {
        case .md5: MD5.self
        case .sha256: SHA256.self
        case .sha512256: SHA512_256.self
        }
    }

    /// The hash as Digest writes it: lower-case hexadecimal digits.
    package func callAsFunction(_ text: String) -> String { function.hash(text).hexadecimal }
    package func callAsFunction(_ data: Data) -> String { function.hash(data).hexadecimal }
}

/// The value of a challenge's `algorithm` (RFC 7616, section 3.3).
package struct DigestAlgorithm: Equatable, Sendable {
    package let hash: DigestHash
    /// Whether the hash of name and password is made into the key of a session (section 3.4.2).
    package let isSession: Bool

    package init(hash: DigestHash, isSession: Bool = false) {
        self.hash = hash
        self.isSession = isSession
    }

    /// Nil for an algorithm that is not known. Case does not matter.
    package init?(_ name: String) {
        let name = name.lowercased()
        let isSession = name.hasSuffix("-sess")
        let base = isSession ? String(name.dropLast(5)) : name
        guard let hash = DigestHash.allCases.first(where: { $0.name.lowercased() == base }) else { return nil }
        self.init(hash: hash, isSession: isSession)
    }
}
