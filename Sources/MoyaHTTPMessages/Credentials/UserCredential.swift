import Foundation

/// A user name and password for Basic and Digest.
///
/// Both are kept in Unicode normalization form C, as RFC 7617, section 2.1, and RFC 7616, section 4, require.
package struct UserCredential: Hashable, Sendable, Redacted {
    package let user: String
    package let password: String

    package init(user: String, password: String) {
        self.user = user.precomposedStringWithCanonicalMapping
        self.password = password.precomposedStringWithCanonicalMapping
    }
}

/// A user name and a password that were set for one request.
package struct RequestCredential: Equatable, Sendable {
    package let user: UserCredential
    /// Whether the session remembers the credential for other requests, after it was accepted.
    package let isRemembered: Bool

    /// Creates a credential; `nil` for one without a user name, such as a certificate.
    package init?(_ credential: URLCredential) {
        guard let name = credential.user else { return nil }
        user = UserCredential(user: name, password: credential.password ?? "")
        isRemembered = credential.persistence != .none
    }
}

/// A credential that an authentication scheme cannot represent.
package enum CredentialError: Error, Equatable, Sendable {
    /// The user name contains a colon, which is the delimiter of Basic (RFC 7617, section 2).
    case colonInUserName
    /// The user name or the password contains a control character (RFC 7617, section 2).
    case controlCharacter
}

extension CredentialError: MaskedError {
    /// A sentence that describes the problem, without the user name and the password.
    package var errorDescription: String? {
        switch self {
        case .colonInUserName:
            "The user name contains a colon, which Basic authentication does not allow: use a name without one."
        case .controlCharacter:
            "The user name or the password contains a control character, which Basic authentication does not allow."
        }
    }
}
