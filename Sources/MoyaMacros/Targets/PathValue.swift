#if Macros
    import Foundation

    /// Values as they stand in a path.
    public enum PathValue {
        /// A text with everything percent-encoded that could end the part of the path it stands in: all but letters, digits and
        /// `!$&'()*+,-.:=@_~` (RFC 3986, section 3.3).
        ///
        /// A text of one or two dots is escaped as well. That does not make it harmless, since escaped or not it is the same
        /// (section 6.2.2.2): `HTTPTask.checkingPath(_:_:)` refuses it.
        public static func escape(_ text: String) -> String {
            if text == "." || text == ".." { return text.map { _ in "%2E" }.joined() }
            if text.utf8.allSatisfy({ $0.isPlainInPath }) { return text }
            var escaped: [UInt8] = []
            escaped.reserveCapacity(text.utf8.count * 3)
            for byte in text.utf8 {
                if byte.isPlainInPath {
                    escaped.append(byte)
                } else {
                    escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
                }
            }
            return String(decoding: escaped, as: UTF8.self)
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

        private static let digits = Array("0123456789ABCDEF".utf8)
    }

    extension UInt8 {
        fileprivate var isPlainInPath: Bool {
            switch self {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~!$&'()*+,=:@".utf8.contains(self)
            }
        }
    }
#endif
