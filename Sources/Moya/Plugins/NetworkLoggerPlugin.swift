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
/// Each line of the default formatter has the time and the number of the request in the process. From the second attempt on
/// it has the number of the attempt, and the status or the error of the previous one. For a result it has the time since the
/// first attempt began, the source of the response if it is not the network (``ResponseSource``), and the number of requests
/// that completed a download, if there were several. With the option
/// ``Configuration-swift.struct/LogOptions/oneLine`` a request and its result are one line each:
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
            // The old configuration is released outside the lock, because its closures may hold anything.
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
        log.label = requests.withLock { $0.recordAttempt(of: .current, line: line, after: reason) }
        log.items(of: request) { [log] in log.configuration.output(target, $0) }
    }

    /// Logs the result.
    public func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {
        var log = NetworkLog(configuration: configuration, target: target)
        let line: String?
        (log.label, line) = requests.withLock { $0.remove(.current) }
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
        /// The parts that are logged.
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
        ///   - logOptions: The parts that are logged.
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
        ///   - logOptions: The parts that are logged.
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
