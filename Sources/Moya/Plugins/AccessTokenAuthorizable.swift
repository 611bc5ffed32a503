/// A target that declares how its requests are authorized.
public protocol AccessTokenAuthorizable: SendableMetatype {
    // `SendableMetatype` prevents a conformance that is isolated to the main actor, also where that is the default. The plugin is
    // called on other threads, where it would not find an isolated conformance, and would send no token.

    /// The scheme to use, or `nil` for a request that carries no token.
    var authorizationType: AuthorizationType? { get }
}

/// The scheme in front of a token in the `Authorization` header (RFC 9110, section 11.6.2).
public enum AuthorizationType: Equatable, Sendable {
    /// `Basic`. The token is used as it is: give it in Base64 (RFC 7617).
    case basic
    /// `Bearer` (RFC 6750).
    case bearer
    /// Any other scheme.
    case custom(String)

    /// The scheme as written in the header.
    public var value: String {
        switch self {
        case .basic: "Basic"
        case .bearer: "Bearer"
        case .custom(let value): value
        }
    }
}

extension MultiTarget: AccessTokenAuthorizable {
    /// The wrapped target's scheme, if it has one.
    public var authorizationType: AuthorizationType? {
        (target as? any AccessTokenAuthorizable)?.authorizationType
    }
}
