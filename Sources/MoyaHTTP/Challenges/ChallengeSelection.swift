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
