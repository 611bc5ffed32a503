import Foundation

extension NetworkLoggerPlugin.Configuration {
    /// How a logger makes texts.
    public struct Formatter: Sendable {
        /// Makes a text of a body.
        @preconcurrency
        public typealias DataFormatterType = @Sendable (Data) -> (String)
        /// Makes an item.
        @preconcurrency
        public typealias EntryFormatterType =
            @Sendable (
                _ identifier: String, _ message: String, _ target: any TargetType
            ) -> String

        /// Makes an item.
        @preconcurrency
        public var entry: EntryFormatterType
        /// Makes a text of a request's body.
        @preconcurrency
        public var requestData: DataFormatterType
        /// Makes a text of a response's body.
        @preconcurrency
        public var responseData: DataFormatterType

        /// Makes a formatter.
        ///
        /// - Parameters:
        ///   - entry: Makes an item.
        ///   - requestData: Makes a text of a request's body.
        ///   - responseData: Makes a text of a response's body: ``jsonDataFormatter(_:)``, for example.
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

        /// The body as it is, if it is UTF-8.
        @Sendable
        public static func defaultDataFormatter(_ data: Data) -> String {
            String(data: data, encoding: .utf8) ?? "## Cannot map data to String ##"
        }

        /// The body indented, if it is JSON, with its keys in their order and its numbers as they are; otherwise what
        /// ``defaultDataFormatter(_:)`` makes of it.
        ///
        ///     let formatter = NetworkLoggerPlugin.Configuration.Formatter(
        ///         responseData: NetworkLoggerPlugin.Configuration.Formatter.jsonDataFormatter
        ///     )
        @Sendable
        public static func jsonDataFormatter(_ data: Data) -> String {
            IndentedJSON(data)?.text ?? defaultDataFormatter(data)
        }

        /// `Moya_Logger: [date, time] identifier: message`, with date and time as they are written where the process
        /// runs.
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
