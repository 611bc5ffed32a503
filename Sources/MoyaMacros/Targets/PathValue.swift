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
#endif
