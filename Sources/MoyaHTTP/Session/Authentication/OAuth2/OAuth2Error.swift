import Foundation

/// Why no token could be had from an OAuth 2 server, or one not used.
///
///     catch let error as OAuth2Error where error.code == .invalidGrant { showLogin() }
///
/// No text has a token or a secret in it. An exchange that fails on the way throws `URLError`, as any other.
public enum OAuth2Error: Error, Equatable, Sendable {
    /// What a server can object to (RFC 6749, section 5.2).
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text in the server's answer.
        public let rawValue: String

        /// Makes a code; a server may have codes of its own.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The request lacks something, or has too much.
        public static let invalidRequest = Code(rawValue: "invalid_request")
        /// The client is not known, or its secret is wrong.
        public static let invalidClient = Code(rawValue: "invalid_client")
        /// The refresh token has expired, was revoked, or belongs to another client: the user has to log in again.
        public static let invalidGrant = Code(rawValue: "invalid_grant")
        /// The client may not get tokens in this way.
        public static let unauthorizedClient = Code(rawValue: "unauthorized_client")
        /// The server does not give tokens in this way.
        public static let unsupportedGrantType = Code(rawValue: "unsupported_grant_type")
        /// The scope is not known, or more than was granted at first.
        public static let invalidScope = Code(rawValue: "invalid_scope")
    }

    /// The server gives no token. Description and URI are for developers, and as the server gave them.
    case refused(Code, description: String? = nil, uri: String? = nil)
    /// The server answered with this status, and did not say why in the way of OAuth 2.
    case unexpectedStatus(Int)
    /// The server's answer is no JSON object.
    case notJSON
    /// The named member of the server's answer is missing, or is not what it has to be.
    case invalidMember(String)
    /// The server's answer has more than so many bytes.
    case answerTooLarge(maximum: Int)
    /// The token is of this kind, and only bearer tokens can be used.
    case unsupportedTokenType(String)
    /// The credential has no refresh token.
    case missingRefreshToken
    /// The access token has characters that no bearer token has (RFC 6750, section 2.1), or none at all.
    case invalidAccessToken

    /// What the server objected to, if it said so.
    public var code: Code? {
        if case .refused(let code, _, _) = self { code } else { nil }
    }
}

extension OAuth2Error: LocalizedError {
    /// What is wrong, and what to do.
    public var errorDescription: String? {
        switch self {
        case .refused(let code, let description, let uri):
            "The authorization server gave no token: \(code.rawValue)\(description.map { " (\($0))" } ?? "")."
                + (uri.map { " See \($0)." } ?? "")
                + (code == .invalidGrant ? " The user has to log in again." : "")
        case .unexpectedStatus(let status):
            "The authorization server answered with status \(status) and did not say why: check the URL of the token "
                + "endpoint, or try again later."
        case .notJSON:
            "The authorization server's answer is no JSON object: check the URL of the token endpoint."
        case .invalidMember(let name):
            "The authorization server's answer has no usable \"\(name)\"."
        case .answerTooLarge(let maximum):
            "The authorization server's answer has more than \(maximum) bytes: check the URL of the token endpoint."
        case .unsupportedTokenType(let type):
            "The authorization server gave a token of type \"\(type)\": only bearer tokens can be used."
        case .missingRefreshToken:
            "There is no refresh token, so the access token cannot be renewed: the user has to log in again."
        case .invalidAccessToken:
            "The access token is empty or has characters that a bearer token cannot have: letters, digits and -._~+/ "
                + "are allowed, and = at its end."
        }
    }
}
