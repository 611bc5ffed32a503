import Foundation

/// Logs requests and results as text, for debugging.
///
///     let provider = MoyaProvider<GitHub>(plugins: [NetworkLoggerPlugin.verbose])
///
/// The output is called once for each attempt of a request, after plugins have prepared it, and once for each result,
/// in the order of these events. Credentials are masked: see ``Configuration-swift.struct/LogOptions/secrets``. In
/// bodies, form fields and parts, JSON members and URLs are masked; for other bodies with secrets do not enable the
/// body options, or mask the secrets in a custom formatter.
///
/// Each line of the default formatter has the time, the number of the request in the process, its attempt from the second
/// one on with the status or the error of the attempt before, and for a result the time since the first attempt began, the
/// source of the response if it is not the network (``ResponseSource``), and the number of requests by which a download was
/// completed, if there were several. With the option ``Configuration-swift.struct/LogOptions/oneLine`` a request and its
/// result are one line each:
///
///     Moya_Logger: [2026-05-04, 12:30:01.250, #7] Request: GET https://api.example.com/users
///     Moya_Logger: [2026-05-04, 12:30:01.301, #7, attempt 2 after status 503] Request: GET https://api.example.com/users
///     Moya_Logger: [2026-05-04, 12:30:01.337, #7, attempt 2, 87 ms] Response: 200, 134 bytes, GET https://api.example.com/users
public final class NetworkLoggerPlugin: Sendable {
    private let state: Locked<Configuration>
    private let requests = Locked(LoggedRequests())

    /// The settings of the logger.
    ///
    /// They can be changed at any time; each call of the plugin uses the settings at its beginning.
    public var configuration: Configuration {
        get { state.withLock { $0 } }
        set {
            // Released outside the lock: its closures may hold anything.
            let old = state.withLock { configuration in
                defer { configuration = newValue }
                return configuration
            }
            withExtendedLifetime(old) {}
        }
    }

    /// Creates a plugin.
    public init(configuration: Configuration = Configuration()) { state = Locked(configuration) }
}

extension NetworkLoggerPlugin: PluginType {
    /// Logs the request.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        var log = NetworkLog(configuration: configuration, target: target)
        let line = log.line(of: request.request)
        let reason = log.retryReason(of: request)
        log.label = requests.withLock { $0.sends(.current, line, after: reason) }
        log.items(of: request) { [log] in log.configuration.output(target, $0) }
    }

    /// Logs the result.
    public func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {
        var log = NetworkLog(configuration: configuration, target: target)
        let line: String?
        (log.label, line) = requests.withLock { $0.receives(.current) }
        let source =
            switch result {
            case .success(let response): response.source
            case .failure(let error): error.response?.source
            }
        if let source, source != .network { log.label.append(source.rawValue) }
        if case .success(let response) = result, response.continuationCount > 0 {
            log.label.append("\(response.continuationCount + 1) requests")
        }
        log.configuration.output(target, log.items(of: result, to: line))
    }
}

extension NetworkLoggerPlugin {
    /// Creates a plugin that logs the method and headers of requests, and the heads of responses.
    public class var `default`: NetworkLoggerPlugin {
        NetworkLoggerPlugin(configuration: Configuration(logOptions: .default))
    }

    /// Creates a plugin that logs everything except credentials.
    public class var verbose: NetworkLoggerPlugin {
        NetworkLoggerPlugin(configuration: Configuration(logOptions: .verbose))
    }
}

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
        /// One line for each request with its method and URL, and one for each result with status, size, method and URL,
        /// in place of everything else.
        public static let oneLine = LogOptions(rawValue: 1 << 7)

        /// Method and headers.
        public static let `default`: LogOptions = [requestMethod, requestHeaders]
        /// Everything except secrets and the `curl` command.
        public static let verbose: LogOptions = [
            requestMethod, requestHeaders, requestBody, successResponseBody, errorResponseBody,
        ]
    }
}

extension NetworkLoggerPlugin.Configuration {
    /// The functions with which a logger formats its items.
    public struct Formatter: Sendable {
        /// Converts a body to text.
        @preconcurrency
        public typealias DataFormatterType = @Sendable (Data) -> (String)
        /// Formats an item.
        @preconcurrency
        public typealias EntryFormatterType =
            @Sendable (
                _ identifier: String, _ message: String, _ target: any TargetType
            ) -> String

        /// Formats an item.
        @preconcurrency
        public var entry: EntryFormatterType
        /// Converts a request's body to text.
        @preconcurrency
        public var requestData: DataFormatterType
        /// Converts a response's body to text.
        @preconcurrency
        public var responseData: DataFormatterType

        /// Creates a formatter.
        ///
        /// - Parameters:
        ///   - entry: Formats an item.
        ///   - requestData: Converts a request's body to text.
        ///   - responseData: Converts a response's body to text: ``jsonDataFormatter(_:)``, for example.
        @preconcurrency
        public init(
            entry: @escaping EntryFormatterType = defaultEntryFormatter,
            requestData: @escaping DataFormatterType = defaultDataFormatter,
            responseData: @escaping DataFormatterType = defaultDataFormatter
        ) {
            self.entry = entry
            self.requestData = requestData
            self.responseData = responseData
        }

        /// Returns the body as text, if it is UTF-8.
        @Sendable
        public static func defaultDataFormatter(_ data: Data) -> String {
            String(data: data, encoding: .utf8) ?? "## Cannot map data to String ##"
        }

        /// Returns the body indented, if it is JSON; otherwise the result of ``defaultDataFormatter(_:)``.
        ///
        /// The order of keys and the spelling of numbers are kept.
        ///
        ///     let formatter = NetworkLoggerPlugin.Configuration.Formatter(
        ///         responseData: NetworkLoggerPlugin.Configuration.Formatter.jsonDataFormatter
        ///     )
        @Sendable
        public static func jsonDataFormatter(_ data: Data) -> String {
            IndentedJSON(data)?.text ?? defaultDataFormatter(data)
        }

        /// Returns the item as `Moya_Logger: [date, time, #7, attempt 2, 87 ms] identifier: message`.
        ///
        /// The time is that of the current time zone, with milliseconds. The number of the request, its attempt from the
        /// second one on and the reason for it, and the duration and source of a result are known where the logger formats an
        /// item of a provider's request.
        @Sendable
        public static func defaultEntryFormatter(
            identifier: String,
            message: String,
            target: any TargetType
        ) -> String {
            let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current)
            let now = Date().formatted(style.year().month().day().time(includingFractionalSeconds: true))
            let label = (now.split(separator: " ").map(String.init) + NetworkLog.label).joined(separator: ", ")
            return "Moya_Logger: [\(label)] \(identifier): \(message)"
        }
    }
}
