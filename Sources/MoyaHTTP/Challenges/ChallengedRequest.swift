import Foundation

/// What of a request its answer to a challenge depends on, and the answer that it was last sent with.
package struct ChallengedRequest: Equatable, Sendable, Redacted {
    package let method: String
    /// The target as it is sent (RFC 9112, section 3.2): path and query to a server, the URL or the authority to a proxy.
    package let target: String
    /// The path as it is sent; no protection space of a proxy depends on it.
    package let path: String
    /// Whether there is a body, of which `auth-int` wants the hash.
    package let hasBody: Bool
    /// The hashes of the body that are known.
    package private(set) var bodyHashes: [DigestHash: String] = [:]
    /// What the last try was sent with; nil if that was nothing of ours.
    package var answer: ChallengeAnswer?

    package init(method: String, target: String, path: String = "/", hasBody: Bool = false) {
        self.method = method
        self.target = target
        self.path = path.isEmpty ? "/" : path
        self.hasBody = hasBody
    }

    /// A request that is sent to the server itself.
    package init(method: String, url: URL, hasBody: Bool = false) {
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let encoded = components?.percentEncodedPath ?? ""
        let path = encoded.isEmpty ? "/" : encoded
        let query = components?.percentEncodedQuery.map { "?\($0)" } ?? ""
        self.init(method: method, target: path + query, path: path, hasBody: hasBody)
    }

    /// Takes the hash of the body that a decision asked for.
    package mutating func setBodyHash(_ hash: [UInt8], by function: DigestHash) {
        bodyHashes[function] = hash.hexadecimal
    }

    /// The hash of the body, if it is known. Where there is no body it is that of nothing.
    package func bodyHash(by function: DigestHash) -> String? {
        hasBody ? bodyHashes[function] : function("")
    }

    package var description: String { "\(method) \(path), \(answer?.description ?? "without answer")" }
}

/// What a request is sent with because of a challenge.
package struct ChallengeAnswer: Equatable, Sendable, Redacted {
    package enum Content: Equatable, Sendable, Redacted {
        /// The header.
        case basic(String)
        case digest(DigestAnswer)

        package var scheme: String {
            switch self {
            case .basic: "Basic"
            case .digest: "Digest"
            }
        }

        package var description: String { "\(scheme) \(SecretMask.placeholder)" }
    }

    package let realm: String
    /// How many challenges the request has answered with this one: 0 if it was sent before there was a challenge.
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
        case .digest(let answer): answer.header
        }
    }

    package var scheme: String { content.scheme }

    package var description: String { "answer \(number), \(content)" }
}

/// What to do about a challenge.
package enum ChallengeDecision: Equatable, Sendable {
    /// Send the request again, with this.
    case answer(ChallengeAnswer)
    /// Tell the request the hash of its body, and ask again: the server wants it protected.
    case needsBodyHash(DigestHash)
    /// Take the response as it is.
    case giveUp(ChallengeRefusal)
}
