#if Macros
    import Foundation

    /// Values of types of yours, as they stand in a query, in a form or in a header.
    public enum WireValue {
        /// The value itself.
        public static func of<Value: Sendable>(_ value: Value) -> any Sendable { value }

        /// The raw value.
        public static func of<Value: RawRepresentable & Sendable>(_ value: Value) -> any Sendable
        where Value.RawValue: Sendable { value.rawValue }

        /// The raw value, if there is one.
        public static func of<Value: RawRepresentable & Sendable>(_ value: Value?) -> any Sendable
        where Value.RawValue: Sendable { value?.rawValue }

        /// The raw values.
        public static func of<Value: RawRepresentable & Sendable>(_ values: [Value]) -> any Sendable
        where Value.RawValue: Sendable { values.map(\.rawValue) }

        /// The date as RFC 3339 has it, in UTC: `2026-01-31T12:00:00Z`.
        public static func of(_ date: Date) -> any Sendable { date.formatted(.iso8601) }

        /// The date as RFC 3339 has it, in UTC, if there is one.
        public static func of(_ date: Date?) -> any Sendable { date?.formatted(.iso8601) }

        /// A header's values as text, without those that are `nil`.
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
