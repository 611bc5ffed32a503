// What the plugin's closure got in older versions: nothing, and later the authorization type.
extension AccessTokenPlugin {
    /// Makes a plugin whose closure is not told the target.
    @available(*, deprecated, message: "The closure gets the target: write AccessTokenPlugin { _ in … }.")
    @_disfavoredOverload
    @preconcurrency
    public init(tokenClosure: @escaping @Sendable () -> String) {
        self.init { (_: any TargetType) in tokenClosure() }
    }

    /// Makes a plugin whose closure is told how the target is authorized.
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

    /// Makes a plugin with one token for all.
    @available(*, deprecated, message: "Write AccessTokenPlugin { _ in token }, which may change.")
    public init(token: String) {
        self.init { (_: any TargetType) in token }
    }
}
