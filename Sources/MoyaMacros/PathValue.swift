#if Macros
    import Foundation
    import MoyaHTTP

    /// Functions that insert values into paths.
    public enum PathValue {
        /// Returns a text with all characters percent-encoded except letters, digits and `!$&'()*+,-.:=@_~`.
        ///
        /// So it cannot end the segment that contains it (RFC 3986, section 3.3). The texts `.` and `..` are escaped
        /// as well, but remain dot segments (section 6.2.2.2): `HTTPTask.checkingPath(_:_:)` rejects them.
        public static func escape(_ text: String) -> String {
            if text == "." || text == ".." { return text.map { _ in "%2E" }.joined() }
            return text.percentEncoded(keeping: .pathValue)
        }

        /// Returns the escaped text of a value.
        public static func escape(_ value: some CustomStringConvertible) -> String { escape(text(value)) }

        /// Returns the escaped text of a raw value.
        public static func escape<Value: RawRepresentable>(_ value: Value) -> String
        where Value.RawValue: CustomStringConvertible { escape(text(value)) }

        /// Returns the escaped text of a raw value.
        public static func escape<Value: RawRepresentable & CustomStringConvertible>(_ value: Value) -> String
        where Value.RawValue: CustomStringConvertible { escape(value.rawValue) }

        static func text(_ value: some CustomStringConvertible) -> String { value.description }

        static func text<Value: RawRepresentable>(_ value: Value) -> String
        where Value.RawValue: CustomStringConvertible { value.rawValue.description }
    }

    /// The error for a value that would change the path that contains it.
    ///
    /// It is detected before the request is sent, and is in ``MoyaError/parameterEncoding(_:)``.
    public struct PathValueError: RequestDefinitionError, MatchableError, Sendable {
        /// The reason why the value is invalid.
        public enum Reason: Hashable, Sendable {
            /// The value is empty: `/users/` is not the path of a user.
            case empty
            /// The value is `.` or `..`, which are dot segments, escaped or not (RFC 3986, sections 5.2.4 and
            /// 6.2.2.2).
            case dots
        }

        /// The parameter's name.
        public let parameter: String
        /// The reason why its value is invalid.
        public let reason: Reason
        package var origin = ErrorOrigin()

        /// Creates an error.
        public init(parameter: String, reason: Reason) {
            self.parameter = parameter
            self.reason = reason
        }

        package var place: String? { "`path`" }
    }

    extension PathValueError: MaskedError {
        /// The reason, and how to resolve the error.
        public var errorDescription: String? {
            switch reason {
            case .empty:
                text("The value of \"\(parameter)\" is empty, which changes the path: give it a value.")
            case .dots:
                text(
                    "The value of \"\(parameter)\" is \".\" or \"..\", which leads to another path: give it another value."
                )
            }
        }
    }

    /// Functions that convert values for queries, forms and headers.
    public enum WireValue {
        /// Returns the value unchanged.
        public static func of<Value: Sendable>(_ value: Value) -> any Sendable { value }

        /// Returns the raw value.
        public static func of<Value: RawRepresentable & Sendable>(_ value: Value) -> any Sendable
        where Value.RawValue: Sendable { value.rawValue }

        /// Returns the raw value; `nil` for `nil`.
        public static func of<Value: RawRepresentable & Sendable>(_ value: Value?) -> any Sendable
        where Value.RawValue: Sendable { value?.rawValue }

        /// Returns the raw values.
        public static func of<Value: RawRepresentable & Sendable>(_ values: [Value]) -> any Sendable
        where Value.RawValue: Sendable { values.map(\.rawValue) }

        /// Returns the date as in RFC 3339, in UTC: `2026-01-31T12:00:00Z`.
        public static func of(_ date: Date) -> any Sendable { date.formatted(.iso8601) }

        /// Returns the date as in RFC 3339, in UTC; `nil` for `nil`.
        public static func of(_ date: Date?) -> any Sendable { date?.formatted(.iso8601) }

        /// Returns the values of headers as text, without those that are `nil`.
        public static func headers(_ headers: [String: any Sendable]) -> [String: String] {
            headers.compactMapValues { text($0) }
        }

        private static func text(_ value: any Sendable) -> String? {
            if let text = value as? String { return text }
            let mirror = Mirror(reflecting: value)
            guard mirror.displayStyle == .optional else { return "\(value)" }
            return mirror.children.first.map { "\($0.value)" }
        }
    }

    extension HTTPTask {
        /// Returns this task, or one that fails with ``PathValueError`` if a value is invalid in a path.
        ///
        /// The task reports the error because a target's path cannot throw.
        ///
        /// - Parameters:
        ///   - parameter: The name of the parameter, for the error.
        ///   - value: The value.
        /// - Returns: The task.
        public func checkingPath(_ parameter: String, _ value: String) -> HTTPTask {
            // All invalid values are short.
            guard value.utf8.count <= 2, let reason = PathValueError.Reason(value) else { return self }
            let error = PathValueError(parameter: parameter, reason: reason)
            return .requestParameters(parameters: [:], encoding: Refusal(error: error))
        }

        /// Returns this task, or one that fails with ``PathValueError`` if a value is invalid in a path.
        public func checkingPath(_ parameter: String, _ value: some CustomStringConvertible) -> HTTPTask {
            checkingPath(parameter, PathValue.text(value))
        }

        /// Returns this task, or one that fails with ``PathValueError`` if a raw value is invalid in a path.
        public func checkingPath<Value: RawRepresentable>(_ parameter: String, _ value: Value) -> HTTPTask
        where Value.RawValue: CustomStringConvertible { checkingPath(parameter, PathValue.text(value)) }

        /// Returns this task, or one that fails with ``PathValueError`` if a raw value is invalid in a path.
        public func checkingPath<Value: RawRepresentable & CustomStringConvertible>(
            _ parameter: String,
            _ value: Value
        ) -> HTTPTask where Value.RawValue: CustomStringConvertible { checkingPath(parameter, value.rawValue) }
    }

    extension PathValueError.Reason {
        fileprivate init?(_ value: String) {
            switch value {
            case "": self = .empty
            case ".", "..": self = .dots
            default: return nil
            }
        }
    }

    /// An encoding that always fails.
    private struct Refusal: ParameterEncoding {
        let error: PathValueError

        func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws
            -> URLRequest
        {
            throw error
        }
    }
#endif
