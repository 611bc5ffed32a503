#if Macros
    import Foundation

    // Code that `@API` generated before the parts of a form had one encoder. Applications can have used it.
    extension MultipartFormData {
        /// Creates a part with a value's description.
        @available(*, deprecated, message: "Write MultipartFormData(provider:name:), or FormParts.")
        public static func value(_ value: some CustomStringConvertible, name: String) -> MultipartFormData {
            MultipartFormData(provider: .data(Data(value.description.utf8)), name: name)
        }

        /// Creates a part with a raw value's text.
        @available(*, deprecated, message: "Write MultipartFormData(provider:name:), or FormParts.")
        public static func value<Value: RawRepresentable>(_ value: Value, name: String) -> MultipartFormData
        where Value.RawValue: CustomStringConvertible {
            MultipartFormData(provider: .data(Data(value.rawValue.description.utf8)), name: name)
        }

        /// Creates a part with a raw value's text.
        @available(*, deprecated, message: "Write MultipartFormData(provider:name:), or FormParts.")
        public static func value<Value: RawRepresentable & CustomStringConvertible>(
            _ value: Value,
            name: String
        ) -> MultipartFormData where Value.RawValue: CustomStringConvertible {
            MultipartFormData(provider: .data(Data(value.rawValue.description.utf8)), name: name)
        }

        /// Creates a part with a text.
        @available(*, deprecated, message: "Write MultipartFormData(provider:name:), or FormParts.")
        public static func value(_ text: String, name: String) -> MultipartFormData {
            MultipartFormData(provider: .data(Data(text.utf8)), name: name)
        }

        /// Creates a part with bytes.
        @available(*, deprecated, message: "Write MultipartFormData(provider:name:), or FormParts.")
        public static func value(_ data: Data, name: String) -> MultipartFormData {
            MultipartFormData(provider: .data(data), name: name)
        }

        /// Creates a part with a file, which is streamed.
        @available(*, deprecated, message: "Write MultipartFormData(provider:name:), or FormParts.")
        public static func value(_ file: URL, name: String) -> MultipartFormData {
            MultipartFormData(provider: .file(file), name: name)
        }

        /// Returns the part unchanged, as it already has a name.
        @available(*, deprecated, message: "Write MultipartFormData(provider:name:), or FormParts.")
        public static func value(_ part: MultipartFormData, name: String) -> MultipartFormData { part }

        /// Creates a part with a body.
        @available(*, deprecated, message: "Write MultipartFormData(provider:name:), or FormParts.")
        public static func value(_ body: HTTPBody, name: String) -> MultipartFormData {
            MultipartFormData(provider: .body(body), name: name)
        }
    }
#endif
