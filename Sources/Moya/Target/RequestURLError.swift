/// The error for a parameter whose URL cannot be the URL of a request of its API.
///
/// It is detected before the request is sent, and is in ``MoyaError/parameterEncoding(_:)``.
public struct RequestURLError: RequestDefinitionError, MatchableError, Sendable {
    /// The reason why the URL is not used.
    public enum Reason: Hashable, Sendable {
        /// The text is not a URL with the scheme `http` or `https`, or a reference that is relative to the base URL.
        case invalid
        /// The URL has another scheme, host or port than the base URL, so that the server must not get the credentials of the API.
        ///
        /// The `https` URL of the same host is no other origin for an `http` base URL: ports 80 and 443 correspond, and others are equal.
        case otherOrigin
    }

    /// The parameter's name.
    public let parameter: String
    /// The reason why its URL is not used.
    public let reason: Reason
    package var origin = ErrorOrigin()

    /// Creates an error.
    public init(parameter: String, reason: Reason) {
        self.parameter = parameter
        self.reason = reason
    }
}

extension RequestURLError: MaskedError {
    /// The reason, and how to resolve the error.
    public var errorDescription: String? {
        switch reason {
        case .invalid:
            text(
                "The value of \"\(parameter)\" is not a URL: pass one with a scheme and a host, or one relative to the base URL."
            )
        case .otherOrigin:
            text(
                "The URL in \"\(parameter)\" has another scheme, host or port than the base URL, whose credentials its server must not get: declare an API for that server."
            )
        }
    }
}
