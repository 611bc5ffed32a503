import Foundation

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
