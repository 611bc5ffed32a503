/// A supported Digest challenge (RFC 7616, section 3.3).
package struct DigestChallenge: Equatable, Sendable {
    /// The quality of protection (`qop`).
    package enum Protection: String, Equatable, Sendable {
        /// Protects the method and the target of the request.
        case auth
        /// Also protects the body.
        case authInt = "auth-int"
    }

    package let realm: String
    package var nonce: String
    package let opaque: String?
    package let algorithm: DigestAlgorithm
    /// The algorithm as received; nil if missing, which means MD5.
    package let algorithmText: String?
    /// The selected quality of protection; nil if the server supports only RFC 2069.
    package let protection: Protection?
    /// Whether only the nonce of the previous request was wrong.
    package let isStale: Bool
    /// Whether the user name is sent as a hash (section 3.4.4).
    package let hashesUser: Bool
    /// The URIs of the protection space as received; empty for the whole origin.
    package let domain: [String]

    /// Creates a challenge; nil if it is not a supported Digest challenge.
    ///
    /// The nonce must be present, and the algorithm and one quality of protection must be supported. Without `qop`
    /// only MD5 is supported, as in RFC 2069.
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
        // Protecting the body means reading it twice, so it is only done if the server requires it.
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
