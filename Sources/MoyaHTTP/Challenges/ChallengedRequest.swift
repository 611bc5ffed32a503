import Foundation

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

    package var description: String { "\(method) \(path), \(challengeResponse?.description ?? "without answer")" }
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
    package var header: String {
        switch content {
        case .basic(let header): header
        case .digest(let response): response.header
        }
    }

    package var scheme: String { content.scheme }

    package var description: String { "answer \(number), \(content)" }
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
