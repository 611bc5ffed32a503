import Foundation

extension NetworkLoggerPlugin {
    /// The settings of a logger.
    public struct Configuration: Sendable {
        /// Receives the items of one request or one result, in order.
        @preconcurrency
        public typealias OutputType = @Sendable (_ target: any TargetType, _ items: [String]) -> Void

        /// Formats the items.
        public var formatter: Formatter
        /// Receives the items.
        @preconcurrency
        public var output: OutputType
        /// What is logged.
        public var logOptions: LogOptions
        /// Additional names of headers, query parameters, form fields, form parts and JSON members whose values are
        /// masked.
        ///
        /// For example `["X-Session", "pin"]`. Names are compared without case, `_` and `-`. Empty by default.
        public var secretNames: Set<String> = []

        /// Creates a configuration.
        ///
        /// - Parameters:
        ///   - formatter: Formats the items.
        ///   - output: Receives the items; by default prints them.
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

        /// Creates a configuration with additional secret names.
        ///
        /// - Parameters:
        ///   - formatter: Formats the items.
        ///   - output: Receives the items; by default prints them.
        ///   - logOptions: What is logged.
        ///   - secretNames: Additional names of headers, parameters, fields, parts and members whose values are
        ///     masked.
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

        /// Prints the items with one line each, all in one call.
        @Sendable
        public static func defaultOutput(target: any TargetType, items: [String]) {
            guard !items.isEmpty else { return }
            print(items.joined(separator: "\n"))
        }
    }
}

extension NetworkLoggerPlugin.Configuration {
    /// What a logger logs besides the URL of each request and the head of each response.
    public struct LogOptions: OptionSet, Sendable {
        /// The bits, one for each option.
        public let rawValue: Int

        /// Creates options from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The request's method.
        public static let requestMethod = LogOptions(rawValue: 1 << 0)
        /// The request's body, or the stream that provides it.
        public static let requestBody = LogOptions(rawValue: 1 << 1)
        /// The request's headers, including those that the session adds.
        public static let requestHeaders = LogOptions(rawValue: 1 << 2)
        /// The request as a `curl` command for a shell, in place of everything else about it.
        public static let formatRequestAscURL = LogOptions(rawValue: 1 << 3)
        /// The body of each response.
        public static let successResponseBody = LogOptions(rawValue: 1 << 4)
        /// The body of a response that failed.
        public static let errorResponseBody = LogOptions(rawValue: 1 << 5)
        /// Values that are masked without this option because they are secret.
        ///
        /// They are the values of `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie`, of names such as
        /// `access_token`, `password` and `api_key`, and of the configuration's
        /// ``NetworkLoggerPlugin/Configuration-swift.struct/secretNames``, user name and password in URLs, and the
        /// payloads of targets. Anyone who can read the log can use them.
        public static let secrets = LogOptions(rawValue: 1 << 6)

        /// Method and headers.
        public static let `default`: LogOptions = [requestMethod, requestHeaders]
        /// Everything except secrets and the `curl` command.
        public static let verbose: LogOptions = [
            requestMethod, requestHeaders, requestBody, successResponseBody, errorResponseBody,
        ]
    }
}
