import Foundation

/// The hash functions of Digest (RFC 7616, section 6.1).
package enum DigestHash: Equatable, Hashable, Sendable, CaseIterable {
    case md5
    case sha256
    case sha512256

    /// The name in the IANA registry.
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

    /// Returns the hash as lowercase hexadecimal digits.
    package func callAsFunction(_ text: String) -> String { function.hash(text).hexadecimal }
    package func callAsFunction(_ data: Data) -> String { function.hash(data).hexadecimal }
}

/// The value of the `algorithm` parameter (RFC 7616, section 3.3).
package struct DigestAlgorithm: Equatable, Sendable {
    package let hash: DigestHash
    /// Whether the algorithm is a `-sess` variant, whose key depends on the first nonces (section 3.4.2).
    package let isSession: Bool

    package init(hash: DigestHash, isSession: Bool = false) {
        self.hash = hash
        self.isSession = isSession
    }

    /// Creates an algorithm from its name, ignoring case; nil if it is not supported.
    package init?(_ name: String) {
        let name = name.lowercased()
        let isSession = name.hasSuffix("-sess")
        let base = isSession ? String(name.dropLast(5)) : name
        guard let hash = DigestHash.allCases.first(where: { $0.name.lowercased() == base }) else { return nil }
        self.init(hash: hash, isSession: isSession)
    }
}
