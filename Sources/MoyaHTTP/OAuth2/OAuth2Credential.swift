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

/// The identity of an application at a token endpoint (RFC 6749, section 2.3).
///
/// Descriptions do not include the secret.
public enum OAuth2Client: Equatable, Sendable {
    /// A client that cannot keep a secret, such as a mobile app.
    ///
    /// The `client_id` is sent in the body (section 3.2.1).
    case `public`(id: String)
    /// Sends identifier and secret in the `Authorization` header, which every server must support (section 2.3.1).
    case basic(id: String, secret: String)
    /// Sends identifier and secret in the body, for servers that do not support the header (section 2.3.1).
    case body(id: String, secret: String)

    /// The type of a client with a secret (RFC 6749, section 2.1).
    @available(
        *,
        unavailable,
        message: "Write .basic(id:secret:), or .body(id:secret:) for a server that wants them in the body."
    )
    public static func confidential(id: String, secret: String) -> OAuth2Client { .basic(id: id, secret: secret) }

    /// The value of the `Authorization` header, if the client uses it.
    var authorization: String? {
        guard case .basic(let id, let secret) = self else { return nil }
        // Both are form-encoded before they are joined, so that they can contain colons.
        let form = FormEscaping(rule: .whatwg, space: .plus)
        return "Basic " + Data("\(form.escaped(id)):\(form.escaped(secret))".utf8).base64EncodedString()
    }

    /// The client's parameters in the body.
    var parameters: [(name: String, value: String)] {
        switch self {
        case .public(let id): [("client_id", id)]
        case .basic: []
        case .body(let id, let secret): [("client_id", id), ("client_secret", secret)]
        }
    }

    var secret: String? {
        switch self {
        case .public: nil
        case .basic(_, let secret), .body(_, let secret): secret
        }
    }
}

extension OAuth2Client: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A description without the secret.
    public var description: String {
        switch self {
        case .public(let id): "OAuth2Client.public(id: \(id))"
        case .basic(let id, _): "OAuth2Client.basic(id: \(id), secret: \(SecretMask.placeholder))"
        case .body(let id, _): "OAuth2Client.body(id: \(id), secret: \(SecretMask.placeholder))"
        }
    }

    /// A description without the secret.
    public var debugDescription: String { description }

    /// A mirror without the secret.
    public var customMirror: Mirror { Mirror(self, children: ["client": description], displayStyle: .enum) }
}
