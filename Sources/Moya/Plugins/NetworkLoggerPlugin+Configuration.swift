import Foundation

extension NetworkLoggerPlugin.Configuration {
    /// The parts that a logger logs in addition to the URL of each request and the head of each response.
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
        /// The time is in the current time zone, with milliseconds. Only items of a provider's request have the parts after the
        /// time.
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
