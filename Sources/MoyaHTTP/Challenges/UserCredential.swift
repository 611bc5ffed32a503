import Foundation

/// A user's name and password, the same for Basic and Digest.
///
/// Both are kept in Unicode's form NFC, as RFC 7617, section 2.1, and RFC 7616, section 4, have it.
package struct UserCredential: Hashable, Sendable, Redacted {
    package let user: String
    package let password: String

    package init(user: String, password: String) {
        self.user = user.precomposedStringWithCanonicalMapping
        self.password = password.precomposedStringWithCanonicalMapping
    }
}

/// A credential that a scheme cannot carry.
public enum CredentialError: Error, Equatable, Sendable {
    /// The name has a colon, with which Basic would end it (RFC 7617, section 2).
    case colonInUserName
    /// Name or password has a control character (RFC 7617, section 2).
    case controlCharacter
}

extension CredentialError: LocalizedError {
    /// What is wrong, in one sentence. Name and password are not in it.
    public var errorDescription: String? {
        switch self {
        case .colonInUserName:
            "The user name has a colon, and Basic authentication would end it there: use a name without one."
        case .controlCharacter:
            "The user name or the password has a control character, which Basic authentication cannot carry: check both."
        }
    }
}
