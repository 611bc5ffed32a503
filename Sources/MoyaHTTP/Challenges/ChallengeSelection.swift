/// The one of several challenges that is answered.
///
/// Digest comes before Basic, which shows the password. Of several Digest challenges it is the first that can be answered:
/// the server put the one that it likes best first (RFC 7616, section 3.7). Basic is answered also without TLS, as
/// URLSession does: whether a credential may be sent in the clear is for who gives it.
package enum ChallengeSelection: Equatable, Sendable {
    case digest(DigestChallenge)
    case basic(realm: String)

    /// Nil if there is none that can be answered.
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
