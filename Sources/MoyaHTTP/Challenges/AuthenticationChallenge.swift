/// A challenge of a `WWW-Authenticate` or `Proxy-Authenticate` header (RFC 9110, section 11.3).
///
/// A response may contain several challenges; the client responds to the one it prefers.
public struct AuthenticationChallenge: Equatable, Sendable {
    /// A parameter, such as `realm="files"`.
    public struct Parameter: Equatable, Sendable {
        /// The name as received.
        ///
        /// Names are case-insensitive.
        public let name: String
        /// The value, without quotes and escapes.
        public let value: String

        /// Creates a parameter.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Returns whether the values are equal and the names are equal ignoring case.
        public static func == (lhs: Parameter, rhs: Parameter) -> Bool {
            lhs.value == rhs.value && lhs.name.lowercased() == rhs.name.lowercased()
        }
    }

    /// The scheme as received, such as `Digest`.
    ///
    /// Schemes are case-insensitive.
    public let scheme: String
    /// The `token68` that some schemes have instead of parameters (RFC 9110, section 11.2), as in
    /// `Negotiate oYG8MIG5o`.
    public let token68: String?
    /// The parameters in the order received, including duplicates.
    public let parameters: [Parameter]

    /// Creates a challenge, for tests and custom schemes.
    public init(scheme: String, token68: String? = nil, parameters: [Parameter] = []) {
        self.scheme = scheme
        self.token68 = token68
        self.parameters = parameters
    }

    /// The realm: the name of the protection space (RFC 9110, section 11.5).
    public var realm: String? { self["realm"] }

    /// Returns the value of the first parameter with this name, ignoring case.
    ///
    /// A name that occurs twice is an error of the server.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return parameters.first { $0.name.lowercased() == name }?.value
    }

    /// Returns whether the challenge has this scheme, ignoring case.
    public func isScheme(_ name: String) -> Bool { scheme.lowercased() == name.lowercased() }

    /// Returns whether the challenges are equal; scheme and parameter names are compared ignoring case.
    public static func == (lhs: AuthenticationChallenge, rhs: AuthenticationChallenge) -> Bool {
        lhs.isScheme(rhs.scheme) && lhs.token68 == rhs.token68 && lhs.parameters == rhs.parameters
    }
}
