import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What of a `URLCredential` answers challenges, as a value.
package struct UserCredential: Equatable, Sendable {
    /// The user's name.
    package let user: String
    /// The password.
    package let password: String
    /// Whether the session may remember it for other requests.
    package let isRemembered: Bool

    /// Takes the values out of a credential. One of another kind, a certificate for example, has no name and no password.
    package init(_ credential: URLCredential) {
        user = credential.user ?? ""
        password = credential.password ?? ""
        isRemembered = credential.persistence != .none
    }
}

extension UserCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the password.
    package var description: String { "a credential of a user" }
    /// Without the password.
    package var debugDescription: String { description }
    /// Without the password.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
