#if Macros
    import Foundation

    extension MultipartFormBodyPart {
        /// A part that is a value's text.
        public static func value(_ value: some CustomStringConvertible, name: String) -> MultipartFormBodyPart {
            MultipartFormBodyPart(provider: .data(Data(PathValue.text(value).utf8)), name: name)
        }

        /// A part that is a raw value's text.
        public static func value<Value: RawRepresentable>(_ value: Value, name: String) -> MultipartFormBodyPart
        where Value.RawValue: CustomStringConvertible { .value(value.rawValue, name: name) }

        /// A part that is a raw value's text.
        public static func value<Value: RawRepresentable & CustomStringConvertible>(
            _ value: Value,
            name: String
        ) -> MultipartFormBodyPart where Value.RawValue: CustomStringConvertible { .value(value.rawValue, name: name) }

        /// A part that is a text.
        public static func value(_ text: String, name: String) -> MultipartFormBodyPart {
            MultipartFormBodyPart(provider: .data(Data(text.utf8)), name: name)
        }

        /// A part that is bytes.
        public static func value(_ data: Data, name: String) -> MultipartFormBodyPart {
            MultipartFormBodyPart(provider: .data(data), name: name)
        }

        /// A part that is a file, which is streamed.
        public static func value(_ file: URL, name: String) -> MultipartFormBodyPart {
            MultipartFormBodyPart(provider: .file(file), name: name)
        }

        /// The part itself, which has a name already.
        public static func value(_ part: MultipartFormBodyPart, name: String) -> MultipartFormBodyPart { part }

        /// A part that is a body.
        public static func value(_ body: HTTPBody, name: String) -> MultipartFormBodyPart {
            MultipartFormBodyPart(provider: .body(body), name: name)
        }
    }
#endif
