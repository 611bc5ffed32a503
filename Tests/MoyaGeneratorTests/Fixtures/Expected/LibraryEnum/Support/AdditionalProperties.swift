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
