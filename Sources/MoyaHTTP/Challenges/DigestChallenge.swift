/// A Digest challenge that can be answered (RFC 7616, section 3.3).
package struct DigestChallenge: Equatable, Sendable {
    /// What the answer protects: its "quality of protection".
    package enum Protection: String, Equatable, Sendable {
        /// The method and the target of the request.
        case auth
        /// Also its body.
        case authInt = "auth-int"
    }

    package let realm: String
    package var nonce: String
    package let opaque: String?
    package let algorithm: DigestAlgorithm
    /// The algorithm as the server wrote it; nil if it did not, which stands for MD5.
    package let algorithmText: String?
    /// Nil where the server knows only RFC 2069.
    package let protection: Protection?
    /// Whether the answer before was wrong in nothing but its nonce.
    package let isStale: Bool
    /// Whether the name is to be sent as a hash (section 3.4.4).
    package let hashesUser: Bool
    /// The URIs of the protection space as the server wrote them; empty for all of the origin.
    package let domain: [String]

    /// Nil for what is no Digest challenge or cannot be answered: without nonce, or with algorithms or qualities of
    /// protection that are not known. Without `qop` only MD5 can be answered: RFC 2069 has no other.
    package init?(_ challenge: AuthenticationChallenge) {
        guard challenge.isScheme("Digest"), let nonce = challenge["nonce"] else { return nil }
        self.nonce = nonce
        realm = challenge.realm ?? ""
        opaque = challenge["opaque"]
        algorithmText = challenge["algorithm"].flatMap { $0.isEmpty ? nil : $0 }
        guard let algorithm = DigestAlgorithm(algorithmText ?? "MD5") else { return nil }
        self.algorithm = algorithm
        let options = Self.words(challenge["qop"] ?? "") { $0 == "," || $0 == " " || $0 == "\t" }
        let protections = options.compactMap { Protection(rawValue: $0.lowercased()) }
        // Protecting the body means reading it twice: only for servers that insist.
        protection = protections.contains(.auth) ? .auth : protections.first
        if protection == nil {
            guard options.isEmpty, algorithm == DigestAlgorithm(hash: .md5) else { return nil }
        }
        isStale = challenge["stale"]?.lowercased() == "true"
        hashesUser = challenge["userhash"]?.lowercased() == "true"
        domain = Self.words(challenge["domain"] ?? "") { $0 == " " || $0 == "\t" }
    }

    private static func words(_ text: String, separatedBy isSeparator: (Character) -> Bool) -> [String] {
        text.split(whereSeparator: isSeparator).map(String.init)
    }
}
