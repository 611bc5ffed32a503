import Foundation

/// An OAuth 2 access token with its metadata (RFC 6749, section 5.1).
///
/// It is encodable, so that it can be kept in a secure storage. Descriptions do not include the tokens.
public struct OAuth2Credential: AuthenticationCredential, Equatable, Codable {
    /// The access token.
    public var accessToken: String
    /// The token with which a new access token is requested.
    public var refreshToken: String?
    /// The time at which the access token expires; `nil` if it is unknown.
    ///
    /// In that case the first rejection starts a refresh.
    public var expiration: Date?
    /// The number of seconds before its expiration that the token is refreshed.
    ///
    /// It compensates for clock differences and for the duration of requests.
    public var leeway: TimeInterval
    /// The token type.
    ///
    /// Only bearer tokens are supported (RFC 6750).
    public var tokenType: String
    /// The scopes of the token, separated by spaces (RFC 6749, section 3.3).
    public var scope: String?

    /// The default leeway: 60 seconds.
    public static let defaultLeeway: TimeInterval = 60

    /// Creates a credential from the result of a login.
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

    /// A credential without a token: the first request gets one.
    ///
    /// For ``OAuth2Authenticator/Grant/clientCredentials``.
    public static let toBeRequested = OAuth2Credential(accessToken: "", expiration: .distantPast)

    /// Whether the token has expired, or expires within the ``leeway``.
    public var requiresRefresh: Bool { requiresRefresh(at: Date()) }

    /// Returns whether, at the given time, the token has expired or expires within the ``leeway``.
    public func requiresRefresh(at time: Date) -> Bool {
        expiration.map { $0.timeIntervalSince(time) <= leeway } ?? false
    }
}

extension OAuth2Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A description without the tokens.
    public var description: String {
        let expiration = expiration.map { "\($0)" } ?? "unknown"
        return "OAuth2Credential(accessToken: \(SecretMask.placeholder), refreshToken: \(maskedRefreshToken), "
            + "expiration: \(expiration), tokenType: \(tokenType), scope: \(scope ?? "none"))"
    }

    /// A description without the tokens.
    public var debugDescription: String { description }

    /// A mirror without the tokens.
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
