#if Macros
extension AttributeExpansionTests {
    /// The type checks at the method.
    static let checks = [
        Row(
            "A type that is sent as text",
            "@GET(\"/a\") func a(b: [Item?], c: Int) async throws",
            "// 'b' is sent as text: its type must be Sendable, and Encodable or LosslessStringConvertible, or have a raw value.",
            "@MoyaGeneratedCheck(MoyaGenerated.sent(Item.self))"
        ),
        Row(
            "Keys and values",
            "@POST(\"/a\") @Multipart func a(b: Swift.Dictionary<Key, Set<Item>>) async throws",
            "@MoyaGeneratedCheck(MoyaGenerated.sent(Key.self), MoyaGenerated.sent(Item.self))"
        ),
        Row(
            "What is sent as JSON",
            "@POST(\"/a\") func a(b: Item?) async throws\n@PUT(\"/b\") func b(c: Body<[Item]>) async throws",
            "// 'b' is sent as JSON: its type must be Encodable and Sendable.\ntypealias",
            "MoyaGenerated.SentAsJSON<Item?>",
            "// 'c' is sent as JSON: its type must be Encodable and Sendable.\ntypealias",
            "MoyaGenerated.SentAsJSON<[Item]>"
        ),
        Row(
            "What is decoded",
            "@GET(\"/a\") func a() async throws -> [Item]?",
            "// The result of 'a' is decoded: its type must be Decodable.\ntypealias",
            "MoyaGenerated.DecodedResult<[Item]>"
        ),
    ]
}
#endif
