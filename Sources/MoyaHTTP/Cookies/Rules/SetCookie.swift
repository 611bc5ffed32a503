import Foundation

/// The content of a `Set-Cookie` field before validation.
struct SetCookie: Equatable, Sendable {
    /// The lifetime: the last valid attribute of each kind.
    struct Lifetime: Equatable, Sendable {
        /// The value of `Max-Age` in seconds, limited to a century.
        var maxAge: Int?
        var expires: Date?
    }

    var name: String
    var value: String
    var lifetime = Lifetime()
    /// The value of `Domain` in lowercase without a leading dot; `nil` or empty if missing.
    var domain: String?
    /// The value of `Path`; `nil` if missing, empty for the default path.
    var path: String?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite = Cookie.SameSite.unspecified
}
