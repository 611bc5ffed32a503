#if Macros
    import Foundation

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
#endif
