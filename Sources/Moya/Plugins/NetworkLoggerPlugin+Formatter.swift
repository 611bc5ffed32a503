import Foundation

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

        /// Returns the item as `Moya_Logger: [date, time] identifier: message`, with date and time in the current
        /// locale.
        @Sendable
        public static func defaultEntryFormatter(
            identifier: String,
            message: String,
            target: any TargetType
        ) -> String {
            let now = Date()
            let date = DateFormatter.localizedString(from: now, dateStyle: .short, timeStyle: .none)
            let time = DateFormatter.localizedString(from: now, dateStyle: .none, timeStyle: .short)
            return "Moya_Logger: [\(date), \(time)] \(identifier): \(message)"
        }
    }
}
