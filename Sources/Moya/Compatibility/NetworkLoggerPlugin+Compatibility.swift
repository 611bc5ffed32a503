import Foundation

extension NetworkLoggerPlugin {
    /// Creates a plugin as in Moya 13 and older; these settings are now part of a ``Configuration-swift.struct``.
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
        message: "Write NetworkLoggerPlugin(configuration: .init(logOptions: .verbose)), and the like."
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
