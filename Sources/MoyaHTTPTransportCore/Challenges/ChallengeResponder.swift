import Foundation

/// Responds to the challenges of one protection space with one credential, and sends credentials preemptively where
/// that is possible.
///
/// The type has no side effects; client nonces are passed in.
///
/// A request responds once. A further challenge counts only if it is `stale`, which means that only the nonce was
/// wrong. Otherwise the credential is rejected; sending it again could lock accounts.
package struct ChallengeResponder: Equatable, Sendable, Redacted {
    /// The maximum number of times that a request is sent with credentials, where all but the last were stale.
    static let maximumResponses = 4

    package let space: ProtectionSpaceKey
    package let credential: UserCredential

    private var scope = ProtectionScope()
    /// The nonce counts of the server.
    ///
    /// The cache lends them, since other protection spaces use them, too.
    var counts = NonceCounts()
    /// The state for preemptive Digest credentials; nil until a response was accepted.
    private var digest: Digest?

    private struct Digest: Equatable, Sendable {
        var challenge: DigestChallenge
        let sessionStart: DigestResponse.SessionStart?
    }

    package init(space: ProtectionSpaceKey, credential: UserCredential) {
        self.space = space
        self.credential = credential
    }

    package var description: String { "responder for \"\(space.realm)\" of \(space.origin.host)" }

    /// Returns the length of the longest prefix of the protection space that covers the request's path, or nil if
    /// none does.
    package func coverage(of request: ChallengedRequest) -> Int? { scope.coverage(ofPath: request.path) }

    /// Returns the credentials to send before a challenge.
    ///
    /// The result is nil if no credentials have been accepted yet, or if the request is outside the protection
    /// space.
    package mutating func authorization(for request: ChallengedRequest, clientNonce: String) -> ChallengeDecision? {
        guard coverage(of: request) != nil else { return nil }
        guard let digest else { return basicResponse(number: 0) }
        return response(to: digest.challenge, in: digest.sessionStart, request, clientNonce: clientNonce, number: 0)
    }

    /// Returns the decision for a response with challenges.
    package mutating func respond(
        to challenges: [AuthenticationChallenge],
        request: ChallengedRequest,
        clientNonce: String
    ) -> ChallengeDecision {
        guard let selection = ChallengeSelection(challenges) else { return .giveUp(.init(unsupported: challenges)) }
        if let response = request.challengeResponse, Self.isRefused(response, by: selection) {
            forget(response)
            return .giveUp(.credentialRefused(scheme: response.scheme))
        }
        let number = (request.challengeResponse?.number ?? 0) + 1
        switch selection {
        case .basic: return basicResponse(number: number)
        case .digest(let challenge):
            return response(to: challenge, in: nil, request, clientNonce: clientNonce, number: number)
        }
    }

    /// Records that the server accepted the credentials of a request, so that the next requests can send them
    /// preemptively.
    ///
    /// If the server's proof is wrong, the server is not trusted: nothing more is sent to it before the next
    /// challenge.
    ///
    /// - Parameters:
    ///   - request: The accepted request, with the credentials that it was sent with.
    ///   - values: The values of `Authentication-Info` or `Proxy-Authentication-Info`.
    /// - Returns: Whether the server has proved that it knows the password.
    package mutating func recordAcceptance(of request: ChallengedRequest, info values: [String])
        -> AuthenticationInfo.Proof
    {
        guard let response = request.challengeResponse else { return .absent }
        guard case .digest(let sent) = response.content else {
            if digest != nil { (digest, scope) = (nil, ProtectionScope()) }
            scope.add(space.side == .proxy ? "" : BasicAuthentication.scope(ofPath: request.path))
            return .absent
        }
        let info = AuthenticationInfo(values)
        let proof = info.proof(for: sent)
        guard proof != .wrong else {
            forget(response)
            return proof
        }
        // A late response must not restore an old nonce.
        guard info.nextNonce != nil || response.number > 0 || digest == nil else { return proof }
        var challenge = sent.challenge
        challenge.nonce = info.nextNonce ?? challenge.nonce
        let isSession = challenge.algorithm.isSession
        digest = Digest(challenge: challenge, sessionStart: isSession ? sent.sessionStart : nil)
        scope = ProtectionScope(domain: challenge.domain, of: space)
        return proof
    }

    /// Returns whether the challenge rejects the credential, and not only its form or nonce.
    private static func isRefused(_ response: ChallengeResponse, by selection: ChallengeSelection) -> Bool {
        guard response.number < maximumResponses else { return true }
        guard case .digest(let challenge) = selection, case .digest(let sent) = response.content else {
            // Preemptive credentials may have used the wrong scheme.
            return response.number > 0 || (response.scheme == selection.scheme && response.realm == selection.realm)
        }
        let isNewNonce = !challenge.nonce.utf8.elementsEqual(sent.challenge.nonce.utf8)
        // Not all servers mark a nonce as stale; the credential was right the last time.
        return response.number > 0
            ? !(challenge.isStale && isNewNonce) : !(isNewNonce || response.realm != challenge.realm)
    }

    private func basicResponse(number: Int) -> ChallengeDecision {
        do {
            let header = try BasicAuthentication.authorization(credential)
            return .respond(ChallengeResponse(realm: space.realm, number: number, content: .basic(header)))
        } catch {
            return .giveUp(.invalidCredential(error))
        }
    }

    private mutating func response(
        to challenge: DigestChallenge,
        in session: DigestResponse.SessionStart?,
        _ request: ChallengedRequest,
        clientNonce: String,
        number: Int
    ) -> ChallengeDecision {
        let algorithm = challenge.algorithm
        let bodyHash = request.bodyHash(by: algorithm.hash)
        if challenge.protection == .authInt, bodyHash == nil { return .needsBodyHash(algorithm.hash) }
        let use = counts.next(nonce: challenge.nonce, clientNonce: clientNonce)
        let start = session ?? .init(nonce: challenge.nonce, clientNonce: use.firstClientNonce)
        let response = DigestResponse(
            to: challenge,
            credential: credential,
            method: request.method,
            target: request.target,
            clientNonce: algorithm.isSession ? start.clientNonce : clientNonce,
            count: use.count,
            sessionStart: algorithm.isSession ? start : nil,
            bodyHash: bodyHash
        )
        return .respond(ChallengeResponse(realm: space.realm, number: number, content: .digest(response)))
    }

    /// Stops sending preemptive credentials, unless others have been accepted since.
    private mutating func forget(_ response: ChallengeResponse) {
        if case .digest(let sent) = response.content, let digest, digest.challenge.nonce != sent.challenge.nonce {
            return
        }
        digest = nil
        scope = ProtectionScope()
    }
}

/// The challenge to which the client responds.
///
/// Digest is preferred to Basic, which reveals the password. Of several Digest challenges, the first supported one
/// is selected, since the server lists them by preference (RFC 7616, section 3.7). Like URLSession, the client also
/// responds to Basic without TLS: whether a credential may be sent in the clear is the decision of its owner.
package enum ChallengeSelection: Equatable, Sendable {
    case digest(DigestChallenge)
    case basic(realm: String)

    /// Selects a challenge; nil if none is supported.
    package init?(_ challenges: [AuthenticationChallenge]) {
        if let digest = challenges.lazy.compactMap({ DigestChallenge($0) }).first {
            self = .digest(digest)
        } else if let basic = challenges.first(where: { $0.isScheme("Basic") }) {
            self = .basic(realm: basic.realm ?? "")
        } else {
            return nil
        }
    }

    package var realm: String {
        switch self {
        case .digest(let challenge): challenge.realm
        case .basic(let realm): realm
        }
    }

    package var scheme: String {
        switch self {
        case .digest: "Digest"
        case .basic: "Basic"
        }
    }
}

/// The reason why the client does not respond to a challenge.
package enum ChallengeRefusal: Error, Equatable, Sendable {
    /// The response has no challenge that can be parsed.
    case noChallenge
    /// None of the schemes, or none of the Digest algorithms, is supported.
    case unsupportedSchemes([String])
    /// The server rejected the credential.
    case credentialRefused(scheme: String)
    /// The scheme cannot represent the credential.
    case invalidCredential(CredentialError)
    /// The body would have to be sent twice, or hashed first, but is not repeatable.
    ///
    /// Reported by the sender of the request.
    case bodyNotRepeatable

    /// Creates a refusal for challenges that are not supported; the number and length of the names it keeps are
    /// limited.
    package init(unsupported challenges: [AuthenticationChallenge]) {
        guard !challenges.isEmpty else {
            self = .noChallenge
            return
        }
        var names: [String] = []
        for challenge in challenges.prefix(8) {
            let algorithm = challenge.isScheme("Digest") ? challenge["algorithm"].map { " (\($0.prefix(40)))" } : nil
            let name = "\(challenge.scheme.prefix(40))\(algorithm ?? "")"
            if !names.contains(name) { names.append(name) }
        }
        self = .unsupportedSchemes(names)
    }
}

extension ChallengeRefusal: MaskedError {
    package var errorDescription: String? {
        switch self {
        case .noChallenge:
            "The response requires credentials, but has no valid challenge."
        case .unsupportedSchemes(let names):
            """
            The response requires authentication schemes that are not supported: \(names.joined(separator: ", ")). \
            Basic and Digest are supported; for others set the Authorization header.
            """
        case .credentialRefused(let scheme):
            "The server rejected the user name and the password (\(scheme)): check both."
        case .invalidCredential(let error):
            error.errorDescription
        case .bodyNotRepeatable:
            "The request must be sent again with credentials, but its body cannot be: use a repeatable body."
        }
    }
}

/// The properties of a request that its credentials depend on, and the credentials that it was last sent with.
package struct ChallengedRequest: Equatable, Sendable, Redacted {
    package let method: String
    /// The target as sent (RFC 9112, section 3.2): path and query to a server, the URL or the authority to a proxy.
    package let target: String
    /// The path as sent.
    ///
    /// It is not used for the protection space of a proxy.
    package let path: String
    /// Whether the request has a body, which `auth-int` hashes.
    package let hasBody: Bool
    /// The known hashes of the body.
    package private(set) var bodyHashes: [DigestHash: String] = [:]
    /// The credentials of the last attempt; nil if it was sent without.
    package var challengeResponse: ChallengeResponse?

    package init(method: String, target: String, path: String = "/", hasBody: Bool = false) {
        self.method = method
        self.target = target
        self.path = path.isEmpty ? "/" : path
        self.hasBody = hasBody
    }

    /// Creates a request that is sent to the origin server.
    package init(method: String, url: URL, hasBody: Bool = false) {
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let encoded = components?.percentEncodedPath ?? ""
        let path = encoded.isEmpty ? "/" : encoded
        let query = components?.percentEncodedQuery.map { "?\($0)" } ?? ""
        self.init(method: method, target: path + query, path: path, hasBody: hasBody)
    }

    /// Sets the hash of the body that a decision requires.
    package mutating func setBodyHash(_ hash: [UInt8], by function: DigestHash) {
        bodyHashes[function] = hash.hexadecimal
    }

    /// Returns the hash of the body if it is known; without a body, the hash of an empty one.
    package func bodyHash(by function: DigestHash) -> String? {
        hasBody ? bodyHashes[function] : function("")
    }

    package var description: String { "\(method) \(path), \(challengeResponse?.description ?? "without response")" }
}

/// Credentials that respond to a challenge.
package struct ChallengeResponse: Equatable, Sendable, Redacted {
    package enum Content: Equatable, Sendable, Redacted {
        /// The header value.
        case basic(String)
        case digest(DigestResponse)

        package var scheme: String {
            switch self {
            case .basic: "Basic"
            case .digest: "Digest"
            }
        }

        package var description: String { "\(scheme) \(SecretMask.placeholder)" }
    }

    package let realm: String
    /// The number of challenges that the request has responded to, including this one; 0 for preemptive
    /// credentials.
    package let number: Int
    package let content: Content

    package init(realm: String, number: Int, content: Content) {
        self.realm = realm
        self.number = number
        self.content = content
    }

    /// The value of `Authorization` or `Proxy-Authorization`.
    package var header: String { headerText.text }

    /// The value of `Authorization` or `Proxy-Authorization` with the bytes that the server has sent.
    package var headerText: FieldText {
        switch content {
        case .basic(let header): FieldText(header)
        case .digest(let response): response.headerText
        }
    }

    package var scheme: String { content.scheme }

    package var description: String { "response \(number), \(content)" }
}

/// The decision about a challenge.
package enum ChallengeDecision: Equatable, Sendable {
    /// Send the request again with these credentials.
    case respond(ChallengeResponse)
    /// Set the hash of the body on the request and ask for a decision again: the server requires `auth-int`.
    case needsBodyHash(DigestHash)
    /// Return the response as received.
    case giveUp(ChallengeRefusal)
}
