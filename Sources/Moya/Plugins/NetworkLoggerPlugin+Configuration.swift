import Foundation

extension NetworkLoggerPlugin {
    /// What a logger logs, and how.
    public struct Configuration: Sendable {
        /// Takes the items of one request or one result, in their order.
        @preconcurrency
        public typealias OutputType = @Sendable (_ target: any TargetType, _ items: [String]) -> Void

        /// Makes texts.
        public var formatter: Formatter
        /// Takes the items.
        @preconcurrency
        public var output: OutputType
        /// What is logged.
        public var logOptions: LogOptions
        /// Headers, parameters of queries, fields and parts of forms, and members of JSON whose values are masked beside those
        /// that always are: `["X-Session", "pin"]`. Names are compared without case, `_` and `-`. Empty by default.
        public var secretNames: Set<String> = []

        /// Makes a configuration.
        ///
        /// - Parameters:
        ///   - formatter: Makes texts.
        ///   - output: Takes the items; by default prints them.
        ///   - logOptions: What is logged.
        @preconcurrency
        public init(
            formatter: Formatter = Formatter(),
            output: @escaping OutputType = defaultOutput,
            logOptions: LogOptions = .default
        ) {
            self.formatter = formatter
            self.output = output
            self.logOptions = logOptions
        }

        /// Makes a configuration with secrets of the application's own.
        ///
        /// - Parameters:
        ///   - formatter: Makes texts.
        ///   - output: Takes the items; by default prints them.
        ///   - logOptions: What is logged.
        ///   - secretNames: Headers, parameters, fields, parts and members whose values are masked, too.
        @preconcurrency
        public init(
            formatter: Formatter = Formatter(),
            output: @escaping OutputType = defaultOutput,
            logOptions: LogOptions = .default,
            secretNames: Set<String>
        ) {
            self.init(formatter: formatter, output: output, logOptions: logOptions)
            self.secretNames = secretNames
        }

        /// Prints the items, one line each, and those of one call together.
        @Sendable
        public static func defaultOutput(target: any TargetType, items: [String]) {
            guard !items.isEmpty else { return }
            print(items.joined(separator: "\n"))
        }
    }
}

extension NetworkLoggerPlugin.Configuration {
    /// What a logger logs beside the URL of each request and the head of each response.
    public struct LogOptions: OptionSet, Sendable {
        /// One bit for each option.
        public let rawValue: Int

        /// Makes options of bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The request's method.
        public static let requestMethod = LogOptions(rawValue: 1 << 0)
        /// The request's body, or the stream that gives it.
        public static let requestBody = LogOptions(rawValue: 1 << 1)
        /// The request's headers, with those that the session adds.
        public static let requestHeaders = LogOptions(rawValue: 1 << 2)
        /// The request as a `curl` command for a shell, in place of all else about it.
        public static let formatRequestAscURL = LogOptions(rawValue: 1 << 3)
        /// The body of each response.
        public static let successResponseBody = LogOptions(rawValue: 1 << 4)
        /// The body of a response that is a failure.
        public static let errorResponseBody = LogOptions(rawValue: 1 << 5)
        /// Values that are secret, which are masked without this option: of `Authorization`, `Proxy-Authorization`,
        /// `Cookie`, `Set-Cookie`, of names such as `access_token`, `password` and `api_key`, and of the configuration's
        /// ``NetworkLoggerPlugin/Configuration-swift.struct/secretNames``, user name and password in URLs, and the values
        /// inside of targets. For your eyes only: whoever reads the log can use them.
        public static let secrets = LogOptions(rawValue: 1 << 6)

        /// Method and headers.
        public static let `default`: LogOptions = [requestMethod, requestHeaders]
        /// Everything, in single items and without secrets.
        public static let verbose: LogOptions = [
            requestMethod, requestHeaders, requestBody, successResponseBody, errorResponseBody,
        ]
    }
}
