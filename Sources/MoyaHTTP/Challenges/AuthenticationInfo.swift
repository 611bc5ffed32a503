/// What `Authentication-Info` or `Proxy-Authentication-Info` says after an answer was accepted (RFC 7616, section 3.5).
package struct AuthenticationInfo: Equatable, Sendable {
    /// Whether the server has proved that it knows the password, too.
    package enum Proof: Equatable, Sendable {
        /// It has.
        case verified
        /// It does not say, or there is nothing to check it with: most servers.
        case absent
        /// What it says is wrong: it does not know the password, or the response is not the one to the request.
        case wrong
    }

    /// The nonce to use from now on.
    package let nextNonce: String?
    private let proof: String?
    private let protection: String?
    private let clientNonce: String?
    private let count: String?

    /// - Parameter values: The header's values, one for each line; none if there is no such header.
    package init(_ values: [String]) {
        let info = AuthenticationChallenge(scheme: "", parameters: ChallengeParser.parameters(in: values))
        nextNonce = info["nextnonce"].flatMap { $0.isEmpty ? nil : $0 }
        proof = info["rspauth"]
        protection = info["qop"]
        clientNonce = info["cnonce"]
        count = info["nc"]
    }

    /// Compares with what the request was sent with.
    package func proof(for answer: DigestAnswer) -> Proof {
        guard let proof else { return .absent }
        if let clientNonce, !clientNonce.utf8.elementsEqual(answer.clientNonce.utf8) { return .wrong }
        if let count, count.lowercased() != answer.countText { return .wrong }
        // The proof of a protected body needs all of it, and the head is what there is.
        let isBodyProtected = protection?.lowercased() == DigestChallenge.Protection.authInt.rawValue
        guard !isBodyProtected, let expected = answer.serverResponse else { return .absent }
        return proof.lowercased() == expected ? .verified : .wrong
    }
}
