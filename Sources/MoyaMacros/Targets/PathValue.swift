#if Macros
    import Foundation
    import MoyaHTTP

    /// Values as they stand in a path.
    public enum PathValue {
        /// A text with everything percent-encoded that could end the part of the path it stands in: all but letters, digits and
        /// `!$&'()*+,-.:=@_~` (RFC 3986, section 3.3).
        ///
        /// A text of one or two dots is escaped as well. That does not make it harmless, since escaped or not it is the same
        /// (section 6.2.2.2): `HTTPTask.checkingPath(_:_:)` refuses it.
        public static func escape(_ text: String) -> String {
            if text == "." || text == ".." { return text.map { _ in "%2E" }.joined() }
            return text.percentEncoded(keeping: .pathValue)
        }

        /// A value's text, escaped.
        public static func escape(_ value: some CustomStringConvertible) -> String { escape(text(value)) }

        /// A raw value's text, escaped.
        public static func escape<Value: RawRepresentable>(_ value: Value) -> String
        where Value.RawValue: CustomStringConvertible { escape(text(value)) }

        /// A raw value's text, escaped.
        public static func escape<Value: RawRepresentable & CustomStringConvertible>(_ value: Value) -> String
        where Value.RawValue: CustomStringConvertible { escape(value.rawValue) }

        static func text(_ value: some CustomStringConvertible) -> String { value.description }

        static func text<Value: RawRepresentable>(_ value: Value) -> String
        where Value.RawValue: CustomStringConvertible { value.rawValue.description }
    }
#endif
