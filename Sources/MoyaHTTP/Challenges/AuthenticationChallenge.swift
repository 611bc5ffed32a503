/// What a server or proxy asks for before it answers: one challenge of a `WWW-Authenticate` or `Proxy-Authenticate` header
/// (RFC 9110, section 11.3).
///
/// A response may hold several, of which a client answers the one that suits it best.
public struct AuthenticationChallenge: Equatable, Sendable {
    /// A parameter, as in `realm="files"`.
    public struct Parameter: Equatable, Sendable {
        /// The name as the server wrote it. Names are compared without regard to case.
        public let name: String
        /// The value, without quotes and escapes.
        public let value: String

        /// Makes a parameter.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Whether the names are the same but for their case, and the values are the same.
        public static func == (lhs: Parameter, rhs: Parameter) -> Bool {
            lhs.value == rhs.value && lhs.name.lowercased() == rhs.name.lowercased()
        }
    }

    /// The scheme as the server wrote it, as in `Digest`. Schemes are compared without regard to case.
    public let scheme: String
    /// What some schemes have in place of parameters (RFC 9110, section 11.2), as in `Negotiate oYG8MIG5o`.
    public let token68: String?
    /// The parameters in the order in which they came, also those that came twice.
    public let parameters: [Parameter]

    /// Makes a challenge, for tests and for schemes of one's own.
    public init(scheme: String, token68: String? = nil, parameters: [Parameter] = []) {
        self.scheme = scheme
        self.token68 = token68
        self.parameters = parameters
    }

    /// The name of the part of the server that the credentials are for (RFC 9110, section 11.5).
    public var realm: String? { self["realm"] }

    /// The value of the first parameter of that name, whatever its case. One that comes twice is an error of the server's.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return parameters.first { $0.name.lowercased() == name }?.value
    }

    /// Whether the challenge is of that scheme, whatever its case.
    public func isScheme(_ name: String) -> Bool { scheme.lowercased() == name.lowercased() }

    /// Whether the schemes are the same but for their case, and all else is the same.
    public static func == (lhs: AuthenticationChallenge, rhs: AuthenticationChallenge) -> Bool {
        lhs.isScheme(rhs.scheme) && lhs.token68 == rhs.token68 && lhs.parameters == rhs.parameters
    }
}
