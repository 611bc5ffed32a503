/// The content of `Authentication-Info` or `Proxy-Authentication-Info`, sent when credentials are accepted (RFC
/// 7616, section 3.5).
package struct AuthenticationInfo: Equatable, Sendable {
    /// The result of the check whether the server also knows the password.
    package enum Proof: Equatable, Sendable {
        /// The server has proved it.
        case verified
        /// The server sent no proof, which is usual, or the proof cannot be checked.
        case absent
        /// The proof is wrong: the server does not know the password, or the response belongs to another request.
        case wrong
    }

    /// The nonce for the next request (``FieldText/storable``).
    package let nextNonce: String?
    private let serverResponse: String?
    private let protection: String?
    private let clientNonce: String?
    private let count: String?

    /// Creates the info from the header values, one for each header line; empty if the header is missing.
    package init(_ values: [String]) {
        let info = AuthenticationChallenge(scheme: "", parameters: ChallengeParser.parameters(in: values))
        nextNonce = info[text: "nextnonce"].flatMap { $0.text.isEmpty ? nil : $0.storable }
        serverResponse = info["rspauth"]
        protection = info["qop"]
        clientNonce = info["cnonce"]
        count = info["nc"]
    }

    /// Checks the proof against the credentials that were sent with the request.
    package func proof(for response: DigestResponse) -> Proof {
        guard let serverResponse else { return .absent }
        if let clientNonce, !clientNonce.utf8.elementsEqual(response.clientNonce.utf8) { return .wrong }
        if let count, count.lowercased() != response.countText { return .wrong }
        // Checking a protected body would need the whole body, but only the head is available.
        let isBodyProtected = protection?.lowercased() == DigestChallenge.Protection.authInt.rawValue
        guard !isBodyProtected, let expected = response.serverResponse else { return .absent }
        return serverResponse.lowercased() == expected ? .verified : .wrong
    }
}
