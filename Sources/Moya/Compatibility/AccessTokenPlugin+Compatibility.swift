// The arguments of the plugin's closure in older versions: none, and later the authorization type.
extension AccessTokenPlugin {
    /// Creates a plugin whose closure has no parameter.
    @available(*, deprecated, message: "The closure gets the target: write AccessTokenPlugin { _ in … }.")
    @_disfavoredOverload
    @preconcurrency
    public init(tokenClosure: @escaping @Sendable () -> String) {
        self.init { (_: any TargetType) in tokenClosure() }
    }

    /// Creates a plugin whose closure receives the authorization type.
    @available(
        *,
        deprecated,
        message: "The closure gets the target: as AccessTokenAuthorizable it has an authorizationType."
    )
    @_disfavoredOverload
    @preconcurrency
    public init(tokenClosure: @escaping @Sendable (AuthorizationType) -> String) {
        self.init { (target: any TargetType) in
            guard let type = (target as? any AccessTokenAuthorizable)?.authorizationType else { return "" }
            return tokenClosure(type)
        }
    }

    /// Creates a plugin with one token for all requests.
    @available(*, deprecated, message: "Write AccessTokenPlugin { _ in token }, which may change.")
    public init(token: String) {
        self.init { (_: any TargetType) in token }
    }
}
