import Foundation

/// An OAuth 2 access token with what belongs to it (RFC 6749, section 5.1).
///
/// It can be encoded, to be kept where secrets are kept. Printing one does not show the tokens.
public struct OAuth2Credential: AuthenticationCredential, Equatable, Codable {
    /// What requests are sent with.
    public var accessToken: String
    /// What a new access token is asked for with.
    public var refreshToken: String?
    /// When the access token expires; `nil` if that is not known, and then the first refusal starts a refresh.
    public var expiration: Date?
    /// How long before it expires the token is refreshed, in seconds: for clocks that differ, and for requests on the
    /// way.
    public var leeway: TimeInterval
    /// The kind of token. Only bearer tokens can be used (RFC 6750).
    public var tokenType: String
    /// What the token is good for, separated by spaces (RFC 6749, section 3.3).
    public var scope: String?

    /// A minute.
    public static let defaultLeeway: TimeInterval = 60

    /// Makes a credential from what a log-in has brought.
    public init(
        accessToken: String,
        refreshToken: String? = nil,
        expiration: Date? = nil,
        leeway: TimeInterval = OAuth2Credential.defaultLeeway,
        tokenType: String = "Bearer",
        scope: String? = nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiration = expiration
        self.leeway = leeway
        self.tokenType = tokenType
        self.scope = scope
    }

    /// No token yet: the first request gets one. For ``OAuth2Authenticator/Grant/clientCredentials``.
    public static let toBeRequested = OAuth2Credential(accessToken: "", expiration: .distantPast)

    /// Whether the token has expired, or will within the ``leeway``.
    public var requiresRefresh: Bool { requiresRefresh(at: Date()) }

    /// Whether at this time the token has expired, or will within the ``leeway``.
    public func requiresRefresh(at time: Date) -> Bool {
        expiration.map { $0.timeIntervalSince(time) <= leeway } ?? false
    }
}

extension OAuth2Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// All but the tokens.
    public var description: String {
        let expiration = expiration.map { "\($0)" } ?? "unknown"
        return "OAuth2Credential(accessToken: \(SecretMask.placeholder), refreshToken: \(maskedRefreshToken), "
            + "expiration: \(expiration), tokenType: \(tokenType), scope: \(scope ?? "none"))"
    }

    /// All but the tokens.
    public var debugDescription: String { description }

    /// All but the tokens.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "accessToken": SecretMask.placeholder, "refreshToken": maskedRefreshToken,
                "expiration": expiration as Any, "leeway": leeway, "tokenType": tokenType, "scope": scope as Any,
            ],
            displayStyle: .struct
        )
    }

    private var maskedRefreshToken: String { refreshToken == nil ? "none" : SecretMask.placeholder }
}
