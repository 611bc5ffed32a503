#if Macros
    import Foundation

    /// A JSON object with an endpoint's parameters, in which `nil` values are omitted.
    public struct JSONMembers: Encodable, Sendable {
        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        private var members: [(key: Key, value: any Encodable & Sendable)] = []

        /// Creates an empty object.
        public init() {}

        /// Returns the object with an additional member.
        public func adding(_ name: String, _ value: some Encodable & Sendable) -> JSONMembers {
            var object = self
            object.members.append((Key(stringValue: name), value))
            return object
        }

        /// Returns the object with an additional member, unless its value is `nil`.
        public func adding(_ name: String, _ value: (some Encodable & Sendable)?) -> JSONMembers {
            guard let value else { return self }
            return adding(name, value)
        }

        /// Encodes the object.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for member in members { try container.encode(member.value, forKey: member.key) }
        }
    }

    extension MultipartFormData {
        /// Creates a part with a value's text.
        public static func value(_ value: some CustomStringConvertible, name: String) -> MultipartFormData {
            MultipartFormData(provider: .data(Data(PathValue.text(value).utf8)), name: name)
        }

        /// Creates a part with a raw value's text.
        public static func value<Value: RawRepresentable>(_ value: Value, name: String) -> MultipartFormData
        where Value.RawValue: CustomStringConvertible { .value(value.rawValue, name: name) }

        /// Creates a part with a raw value's text.
        public static func value<Value: RawRepresentable & CustomStringConvertible>(
            _ value: Value,
            name: String
        ) -> MultipartFormData where Value.RawValue: CustomStringConvertible { .value(value.rawValue, name: name) }

        /// Creates a part with a text.
        public static func value(_ text: String, name: String) -> MultipartFormData {
            MultipartFormData(provider: .data(Data(text.utf8)), name: name)
        }

        /// Creates a part with bytes.
        public static func value(_ data: Data, name: String) -> MultipartFormData {
            MultipartFormData(provider: .data(data), name: name)
        }

        /// Creates a part with a file, which is streamed.
        public static func value(_ file: URL, name: String) -> MultipartFormData {
            MultipartFormData(provider: .file(file), name: name)
        }

        /// Returns the part unchanged, as it already has a name.
        public static func value(_ part: MultipartFormData, name: String) -> MultipartFormData { part }

        /// Creates a part with a body.
        public static func value(_ body: HTTPBody, name: String) -> MultipartFormData {
            MultipartFormData(provider: .body(body), name: name)
        }
    }
#endif
