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
