import Foundation

// The plugin's closure had no parameter in early versions, and received the authorization type in later ones.
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
    @available(*, deprecated, message: "Write AccessTokenPlugin { _ in token }: each request calls the closure.")
    public init(token: String) {
        self.init { (_: any TargetType) in token }
    }
}

extension NetworkActivityPlugin {
    /// Creates a plugin whose closure does not receive the target.
    @available(
        *,
        deprecated,
        message: "The closure gets the target, too: write NetworkActivityPlugin { change, _ in … }."
    )
    @_disfavoredOverload
    @preconcurrency
    public convenience init(networkActivityClosure: @escaping @Sendable (NetworkActivityChangeType) -> Void) {
        self.init { change, _ in networkActivityClosure(change) }
    }
}

extension NetworkLoggerPlugin {
    /// Creates a plugin as in Moya 13 and earlier; these settings are now part of a ``Configuration-swift.struct``.
    ///
    /// - Parameters:
    ///   - verbose: Whether bodies are logged.
    ///   - cURL: Whether a request is logged as a `curl` command and nothing else.
    ///   - output: Receives the items one by one, with a blank as the separator and a line break as the terminator.
    ///   - requestDataFormatter: Converts a request's body to text.
    ///   - responseDataFormatter: Changes a response's body before it is converted to text.
    @available(
        *,
        deprecated,
        message: "Write NetworkLoggerPlugin(configuration: .init(logOptions: .verbose)), or use other log options."
    )
    @_disfavoredOverload
    @preconcurrency
    public convenience init(
        verbose: Bool = false,
        cURL: Bool = false,
        output: (@Sendable (_ separator: String, _ terminator: String, _ items: Any...) -> Void)? = nil,
        requestDataFormatter: (@Sendable (Data) -> (String))? = nil,
        responseDataFormatter: (@Sendable (Data) -> (Data))? = nil
    ) {
        var configuration = Configuration(logOptions: verbose ? .verbose : .default)
        if cURL { configuration.logOptions.insert(.formatRequestAscURL) }
        if let output {
            configuration.output = { _, items in
                for item in items { output(" ", "\n", item) }
            }
        }
        if let requestDataFormatter { configuration.formatter.requestData = requestDataFormatter }
        if let responseDataFormatter {
            configuration.formatter.responseData = {
                Configuration.Formatter.defaultDataFormatter(responseDataFormatter($0))
            }
        }
        self.init(configuration: configuration)
    }
}
