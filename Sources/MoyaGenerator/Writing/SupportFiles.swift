/// The files that come with generated code: types that its models and methods use.
enum SupportFiles {
    /// Returns the files that code needs.
    static func files(
        using names: Set<String>,
        access: Configuration.Access,
        _ coders: CodersWriter
    ) -> [GeneratedFile] {
        return all.filter { file in file.names.contains { names.contains($0) } }.map { file in
            GeneratedFile(
                path: "Support/\(file.names[0]).swift",
                text: file.text.replacing("ACCESS ", with: access.modifier).replacing("ENCODER", with: coders.encoder)
                    .replacing("DECODER", with: coders.decoder) + "\n"
            )
        }
    }

    private static let all: [(names: [String], text: String)] = [
        (["JSONValue"], jsonValue), (["CalendarDate"], calendarDate), (["UnixTime"], unixTime),
        (["JSONText"], jsonText),
        (["CommaSeparated"], separated("CommaSeparated", "commas", ",")),
        (["SpaceSeparated"], separated("SpaceSeparated", "spaces", " ")),
        (["PipeSeparated"], separated("PipeSeparated", "vertical bars", "|")),
        (["DotSeparated"], separated("DotSeparated", "periods", ".")), (["Nullable"], nullable),
        (["NullEncoded"], nullEncoded), (["Indirect"], indirect), (["AdditionalProperties"], additionalProperties),
        (["UnionDecoding"], unionDecoding), (["PathValue"], pathValue), (["FormParts"], formParts),
    ]

    private static let jsonValue = """
        import Foundation

        /// Any value of JSON.
        ACCESS enum JSONValue: Codable, Hashable, Sendable {
            /// The value `null`.
            case null
            /// A Boolean.
            case bool(Bool)
            /// A number without a fraction.
            case integer(Int64)
            /// Another number.
            case number(Double)
            /// A string.
            case string(String)
            /// An array.
            case array([JSONValue])
            /// An object.
            case object([String: JSONValue])

            /// Decodes a value.
            ACCESS init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if container.decodeNil() {
                    self = .null
                } else if let value = try? container.decode(Bool.self) {
                    self = .bool(value)
                } else if let value = try? container.decode(Int64.self) {
                    self = .integer(value)
                } else if let value = try? container.decode(Double.self) {
                    self = .number(value)
                } else if let value = try? container.decode(String.self) {
                    self = .string(value)
                } else if let value = try? container.decode([JSONValue].self) {
                    self = .array(value)
                } else {
                    self = .object(try container.decode([String: JSONValue].self))
                }
            }

            /// Encodes the value.
            ACCESS func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .null: try container.encodeNil()
                case .bool(let value): try container.encode(value)
                case .integer(let value): try container.encode(value)
                case .number(let value): try container.encode(value)
                case .string(let value): try container.encode(value)
                case .array(let value): try container.encode(value)
                case .object(let value): try container.encode(value)
                }
            }

            /// Returns the value as another type.
            ACCESS func decoded<Value: Decodable>(
                as type: Value.Type,
                using decoder: JSONDecoder = DECODER
            ) throws -> Value {
                try decoder.decode(type, from: JSONEncoder().encode(self))
            }
        }

        extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
            /// Creates `null`.
            ACCESS init(nilLiteral: ()) { self = .null }

            /// Creates a Boolean.
            ACCESS init(booleanLiteral value: Bool) { self = .bool(value) }

            /// Creates an integer.
            ACCESS init(integerLiteral value: Int64) { self = .integer(value) }
        }

        extension JSONValue: ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
            /// Creates a number.
            ACCESS init(floatLiteral value: Double) { self = .number(value) }

            /// Creates a string.
            ACCESS init(stringLiteral value: String) { self = .string(value) }
        }

        extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
            /// Creates an array.
            ACCESS init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

            /// Creates an object.
            ACCESS init(dictionaryLiteral elements: (String, JSONValue)...) {
                self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
            }
        }
        """

    private static let calendarDate = """
        import Foundation

        /// A day of the calendar without a time, such as `2026-01-31`.
        ACCESS struct CalendarDate: Hashable, Sendable, Comparable, LosslessStringConvertible {
            /// The year.
            ACCESS var year: Int
            /// The month, from 1.
            ACCESS var month: Int
            /// The day, from 1.
            ACCESS var day: Int

            /// Creates a date.
            ACCESS init(year: Int, month: Int, day: Int) {
                self.year = year
                self.month = month
                self.day = day
            }

            /// Creates a date from its text.
            ACCESS init?(_ description: String) {
                let parts = description.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
                guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
                guard (1...12).contains(month), (1...31).contains(day) else { return nil }
                self.init(year: year, month: month, day: day)
            }

            /// The text, in ISO 8601.
            ACCESS var description: String {
                let digits = [String(year), String(month), String(day)]
                let lengths = [4, 2, 2]
                return zip(digits, lengths).map { digits, length in
                    String(repeating: "0", count: max(0, length - digits.count)) + digits
                }.joined(separator: "-")
            }

            /// The components, for a `Calendar`.
            ACCESS var components: DateComponents { DateComponents(year: year, month: month, day: day) }

            /// Returns whether a date is before another one.
            ACCESS static func < (lhs: CalendarDate, rhs: CalendarDate) -> Bool {
                (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day)
            }
        }

        extension CalendarDate: Codable {
            /// Decodes a date from its text.
            ACCESS init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                let text = try container.decode(String.self)
                guard let date = CalendarDate(text) else {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a date: \\(text)")
                }
                self = date
            }

            /// Encodes the date as its text.
            ACCESS func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(description)
            }
        }
        """

    private static let unixTime = """
        import Foundation

        /// A time that is sent as seconds since 1970.
        ACCESS struct UnixTime: RawRepresentable, Codable, Hashable, Sendable {
            /// The seconds since 1970.
            ACCESS var rawValue: Int64

            /// Creates a time from seconds since 1970.
            ACCESS init(rawValue: Int64) { self.rawValue = rawValue }

            /// Creates the time of a date, without the fraction of its second.
            ACCESS init(_ date: Date) { rawValue = Int64(date.timeIntervalSince1970.rounded(.down)) }

            /// The time as a date.
            ACCESS var date: Date { Date(timeIntervalSince1970: TimeInterval(rawValue)) }
        }
        """

    private static let jsonText = """
        import Foundation

        /// A value that is sent as the text of its JSON.
        ACCESS struct JSONText<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
            /// The value.
            ACCESS var value: Value

            /// Creates the text of a value.
            ACCESS init(_ value: Value) { self.value = value }

            /// Decodes a value from a text.
            ACCESS init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                value = try DECODER.decode(Value.self, from: Data(text.utf8))
            }

            /// Encodes the text.
            ACCESS func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(String(decoding: ENCODER.encode(value), as: UTF8.self))
            }
        }
        """

    private static func separated(_ name: String, _ separators: String, _ separator: String) -> String {
        """
        /// A list that is sent as one text, with \(separators) between its elements.
        ACCESS struct \(name)<Element: Codable & Hashable & Sendable>: Encodable, Hashable, Sendable {
            /// The elements.
            ACCESS var elements: [Element]

            /// Creates a list.
            ACCESS init(_ elements: [Element]) { self.elements = elements }

            /// The text of an element: its raw value, if it has one.
            private static func text(of element: Element) -> String {
                guard let value = element as? any RawRepresentable else { return "\\(element)" }
                return "\\(value.rawValue)"
            }

            /// Encodes the text.
            ACCESS func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(elements.map(Self.text).joined(separator: "\(separator)"))
            }
        }

        extension \(name): ExpressibleByArrayLiteral {
            /// Creates a list.
            ACCESS init(arrayLiteral elements: Element...) { self.elements = elements }
        }
        """
    }

    private static let nullable = """
        /// A value that is sent, or `null`, which removes the value at the server.
        ///
        /// A member that is `nil` is not sent.
        ACCESS enum Nullable<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
            /// The value `null`.
            case null
            /// A value.
            case value(Value)

            /// Decodes a value.
            ACCESS init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
            }

            /// Encodes the value.
            ACCESS func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .null: try container.encodeNil()
                case .value(let value): try container.encode(value)
                }
            }
        }

        extension KeyedDecodingContainer {
            /// Decodes a member, and keeps `null` apart from a missing member.
            ///
            /// The code that the compiler writes for `Codable` finds this function.
            ACCESS func decodeIfPresent<Value>(_ type: Nullable<Value>.Type, forKey key: Key) throws -> Nullable<Value>? {
                contains(key) ? try decode(type, forKey: key) : nil
            }
        }
        """

    private static let nullEncoded = """
        /// A required member whose `nil` is sent as `null`.
        @propertyWrapper
        ACCESS struct NullEncoded<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
            /// The value.
            ACCESS var wrappedValue: Value?

            /// Wraps a value.
            ACCESS init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

            /// Decodes a value.
            ACCESS init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
            }

            /// Encodes the value.
            ACCESS func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(wrappedValue)
            }
        }

        extension KeyedDecodingContainer {
            /// Decodes a member, which a server may leave out although its document requires it.
            ACCESS func decode<Value>(_ type: NullEncoded<Value>.Type, forKey key: Key) throws -> NullEncoded<Value> {
                NullEncoded(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
            }
        }
        """

    private static let indirect = """
        /// Stores a value in an object, because the value may contain one of the same type.
        @propertyWrapper
        ACCESS struct Indirect<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
            private final class Storage: Sendable {
                let value: Value

                init(_ value: Value) { self.value = value }
            }

            private var storage: Storage

            /// The value.
            ACCESS var wrappedValue: Value {
                get { storage.value }
                set { storage = Storage(newValue) }
            }

            /// Wraps a value.
            ACCESS init(wrappedValue: Value) { storage = Storage(wrappedValue) }

            /// Decodes a value.
            ACCESS init(from decoder: any Decoder) throws {
                storage = Storage(try Value(from: decoder))
            }

            /// Encodes the value.
            ACCESS func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }

            /// Returns whether two values are equal.
            ACCESS static func == (lhs: Indirect, rhs: Indirect) -> Bool { lhs.wrappedValue == rhs.wrappedValue }

            /// Hashes the value.
            ACCESS func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
        }

        extension KeyedDecodingContainer {
            /// Decodes a member that may be missing.
            ///
            /// The code that the compiler writes for `Codable` finds this function.
            ACCESS func decode<Value>(_ type: Indirect<Value?>.Type, forKey key: Key) throws -> Indirect<Value?> {
                Indirect(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
            }
        }

        extension KeyedEncodingContainer {
            /// Encodes a member that may be missing.
            ACCESS mutating func encode<Value>(_ value: Indirect<Value?>, forKey key: Key) throws {
                try encodeIfPresent(value.wrappedValue, forKey: key)
            }
        }
        """

    private static let additionalProperties = """
        /// Reads and writes the members of an object that have no declared names.
        enum AdditionalProperties {
            private struct Key: CodingKey {
                var stringValue: String
                var intValue: Int? { nil }

                init(stringValue: String) { self.stringValue = stringValue }

                init?(intValue: Int) { nil }
            }

            /// Returns the members besides those with some names.
            static func decode<Value: Decodable>(from decoder: any Decoder, besides names: [String]) throws -> [String: Value] {
                let container = try decoder.container(keyedBy: Key.self)
                var members: [String: Value] = [:]
                for key in container.allKeys where !names.contains(key.stringValue) {
                    members[key.stringValue] = try container.decode(Value.self, forKey: key)
                }
                return members
            }

            /// Writes members.
            static func encode<Value: Encodable>(_ members: [String: Value], to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                for (name, value) in members { try container.encode(value, forKey: Key(stringValue: name)) }
            }
        }
        """

    private static let unionDecoding = """
        // These functions look at an object before the type of its value is known.
        extension Decoder {
            /// Returns the text of a member, or `nil`.
            func text(of name: String) throws -> String? {
                let container = try container(keyedBy: MemberName.self)
                return try? container.decode(String.self, forKey: MemberName(stringValue: name))
            }

            /// Returns whether an object has one of some members.
            func has(_ names: String...) -> Bool {
                guard let container = try? container(keyedBy: MemberName.self) else { return false }
                return names.contains { container.contains(MemberName(stringValue: $0)) }
            }
        }

        private struct MemberName: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }

            init?(intValue: Int) { nil }
        }
        """

    private static let pathValue = """
        import Foundation

        /// Writes values into paths and headers.
        enum PathValue {
            /// Returns the text of a value.
            static func text(_ value: some Encodable) -> String {
                if let value = value as? any RawRepresentable { return "\\(value.rawValue)" }
                if let value = value as? Date { return value.formatted(.iso8601) }
                guard let json = try? JSONEncoder().encode(value) else { return "\\(value)" }
                return (try? JSONDecoder().decode(String.self, from: json)) ?? "\\(value)"
            }

            /// Returns the text of a value, in which all characters are escaped that could end its segment.
            static func escape(_ value: some Encodable) -> String {
                let allowed = CharacterSet(charactersIn: "-._~!$&'()*+,;=:@").union(.alphanumerics)
                return text(value).addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
            }
        }
        """

    private static let formParts = """
        import Moya

        /// Collects the parts of a multipart form.
        struct FormParts {
            /// The parts.
            private(set) var parts: [MultipartFormData] = []

            /// Returns the parts with the file at a URL.
            func adding(_ name: String, _ file: URL?) -> FormParts { file.map { adding(name, .file($0)) } ?? self }

            /// Returns the parts with the files at some URLs.
            func adding(_ name: String, _ files: [URL]?) -> FormParts {
                (files ?? []).reduce(self) { $0.adding(name, .file($1)) }
            }

            /// Returns the parts with bytes.
            func adding(_ name: String, _ data: Data?) -> FormParts { data.map { adding(name, .data($0)) } ?? self }

            /// Returns the parts with the text of a value.
            func adding(_ name: String, _ value: (some Encodable)?) -> FormParts {
                value.map { adding(name, .data(Data(PathValue.text($0).utf8))) } ?? self
            }

            /// Returns the parts with the text of each element.
            func adding(_ name: String, _ values: [some Encodable]?) -> FormParts {
                (values ?? []).reduce(self) { $0.adding(name, $1) }
            }

            private func adding(_ name: String, _ provider: MultipartFormData.FormDataProvider) -> FormParts {
                var copy = self
                copy.parts.append(MultipartFormData(provider: provider, name: name))
                return copy
            }
        }
        """
}
