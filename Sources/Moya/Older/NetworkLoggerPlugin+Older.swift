import Foundation

extension NetworkLoggerPlugin {
    /// Makes a plugin as until Moya 13: every text of it is now part of a ``Configuration-swift.struct``.
    ///
    /// - Parameters:
    ///   - verbose: Whether bodies are logged.
    ///   - cURL: Whether a request is logged as a `curl` command, and nothing else of it.
    ///   - output: Takes the items one by one, with a blank as the separator and a line break as the terminator.
    ///   - requestDataFormatter: Makes a text of a request's body.
    ///   - responseDataFormatter: Changes a response's body before it is made a text.
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
