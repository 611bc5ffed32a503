import Foundation

/// How an application says who it is when it asks for a token (RFC 6749, section 2.3). Printing it does not show the
/// secret.
public enum OAuth2Client: Equatable, Sendable {
    /// A client that can keep no secret, as an app on a phone: its `client_id` is in the body (section 3.2.1).
    case `public`(id: String)
    /// Identifier and secret in the header `Authorization`, as every server must support it (section 2.3.1).
    case basic(id: String, secret: String)
    /// Identifier and secret in the body, for servers that support nothing else (section 2.3.1).
    case body(id: String, secret: String)

    /// The value of the header `Authorization`, if there is to be one.
    var authorization: String? {
        guard case .basic(let id, let secret) = self else { return nil }
        // Both are encoded as in a form before they are joined, so that a colon in them does no harm.
        let form = FormEscaping(rule: .whatwg, space: .plus)
        return "Basic " + Data("\(form.escaped(id)):\(form.escaped(secret))".utf8).base64EncodedString()
    }

    /// What it adds to the body.
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
    /// All but the secret.
    public var description: String {
        switch self {
        case .public(let id): "OAuth2Client.public(id: \(id))"
        case .basic(let id, _): "OAuth2Client.basic(id: \(id), secret: \(SecretMask.placeholder))"
        case .body(let id, _): "OAuth2Client.body(id: \(id), secret: \(SecretMask.placeholder))"
        }
    }

    /// All but the secret.
    public var debugDescription: String { description }

    /// All but the secret.
    public var customMirror: Mirror { Mirror(self, children: ["client": description], displayStyle: .enum) }
}
