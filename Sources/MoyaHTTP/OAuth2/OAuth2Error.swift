import Foundation

/// An error in getting a token from an OAuth 2 server, or in using it.
///
///     catch let error as OAuth2Error where error.code == .invalidGrant { showLogin() }
///
/// Descriptions do not include tokens or secrets. If an exchange fails, a `URLError` is thrown instead.
public enum OAuth2Error: Error, Equatable, Sendable {
    /// The error code of an OAuth 2 server (RFC 6749, section 5.2).
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as received.
        public let rawValue: String

        /// Creates a code; servers may define their own.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The request is malformed: a parameter is missing, repeated or not supported.
        public static let invalidRequest = Code(rawValue: "invalid_request")
        /// The client is unknown, or its secret is wrong.
        public static let invalidClient = Code(rawValue: "invalid_client")
        /// The refresh token has expired, was revoked or belongs to another client: the user has to log in again.
        public static let invalidGrant = Code(rawValue: "invalid_grant")
        /// The client is not allowed to use this grant type.
        public static let unauthorizedClient = Code(rawValue: "unauthorized_client")
        /// The server does not support this grant type.
        public static let unsupportedGrantType = Code(rawValue: "unsupported_grant_type")
        /// The scope is unknown, or exceeds the scope that was granted originally.
        public static let invalidScope = Code(rawValue: "invalid_scope")
    }

    /// The server did not issue a token.
    ///
    /// Description and URI are for developers, as received.
    case refused(Code, description: String? = nil, uri: String? = nil)
    /// The server responded with this status and without an OAuth 2 error.
    case unexpectedStatus(Int)
    /// The response is not a JSON object.
    case notJSON
    /// The named member of the response is missing or invalid.
    case invalidMember(String)
    /// The response exceeds this number of bytes.
    case responseTooLarge(maximum: Int)
    /// The token has this type, but only bearer tokens are supported.
    case unsupportedTokenType(String)
    /// The credential has no refresh token.
    case missingRefreshToken
    /// The access token is empty or contains characters that are not allowed (RFC 6750, section 2.1).
    case invalidAccessToken

    /// The error code of the server, if it sent one.
    public var code: Code? {
        if case .refused(let code, _, _) = self { code } else { nil }
    }
}

extension OAuth2Error: MaskedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? { masked(sentence) }

    private var sentence: String {
        switch self {
        case .refused(let code, let description, let uri):
            "The authorization server issued no token: \(code.rawValue)\(description.map { " (\($0))" } ?? "")."
                + (uri.map { " See \($0)." } ?? "")
                + (code == .invalidGrant ? " The user has to log in again." : "")
        case .unexpectedStatus(let status):
            "The authorization server responded with status \(status) and no error code: check the URL of the token "
                + "endpoint, or try again later."
        case .notJSON:
            "The authorization server's response is not a JSON object: check the URL of the token endpoint."
        case .invalidMember(let name):
            "The authorization server's response has no valid \"\(name)\"."
        case .responseTooLarge(let maximum):
            "The authorization server's response has more than \(maximum) bytes: check the URL of the token endpoint."
        case .unsupportedTokenType(let type):
            "The authorization server issued a token of type \"\(type)\": only bearer tokens are supported."
        case .missingRefreshToken:
            "There is no refresh token, so the access token cannot be renewed: the user has to log in again."
        case .invalidAccessToken:
            "The access token is empty or has characters that a bearer token must not have: letters, digits and -._~+/ "
                + "are allowed, and = at its end."
        }
    }
}
