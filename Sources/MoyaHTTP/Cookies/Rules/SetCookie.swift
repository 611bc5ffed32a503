import Foundation

/// What a `Set-Cookie` field says, before it is held against the rules.
struct SetCookie: Equatable, Sendable {
    /// How long the cookie is to live: the last valid attribute of each kind.
    struct Lifetime: Equatable, Sendable {
        /// In seconds; never more than what fits a century.
        var maxAge: Int?
        var expires: Date?
    }

    var name: String
    var value: String
    var lifetime = Lifetime()
    /// `Domain`, without a leading dot and in lower case; `nil` or empty if there is none.
    var domain: String?
    /// `Path`; `nil` if there is none, empty if it stands for the default path.
    var path: String?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite = Cookie.SameSite.unspecified
}
