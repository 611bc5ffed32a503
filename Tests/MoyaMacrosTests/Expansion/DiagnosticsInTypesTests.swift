#if Macros
import Testing

@Suite("Mistakes in types are diagnosed")
struct DiagnosticsInTypesTests {
    typealias Row = DiagnosticsInEndpointsTests.Row

    @Test("invalid types, names and expressions are reported at their place in the source", arguments: Self.rows)
    func type(row: Row) {
        func source(_ members: String) -> String {
            "@API(\"https://api.example.com\")\nprotocol Shop {\n\(members)\n}"
        }
        Expansion.expect(source(row.members), finds: row.findings, fixed: row.fixed.map { source($0) })
    }

    @Test("invalid protocols and base URLs are reported at their place in the source", arguments: Self.protocols)
    func wholeProtocol(row: Row) { Expansion.expect(row.members, finds: row.findings, fixed: row.fixed) }

    private static let tuple = "a tuple can't be decoded: declare a struct that is Decodable"
    private static let closure =
        "a closure can't be sent: only a download has one, of the type '@escaping DownloadDestination'"
    private static let selfType =
        "an endpoint can't use 'Self', which differs in the client and in the mock: write a type's name"

    static let rows = [
        Row("A tuple as a result", "@GET(\"/a\") func a() async throws -> •(Int, String)", [.init(tuple)]),
        Row(
            "A tuple within a result",
            "@GET(\"/a\") func a() async throws -> [•(x: Int, y: Int)]?",
            [.init(tuple)]
        ),
        Row(
            "A tuple as a parameter",
            "@GET(\"/a\") func a(b: •(Int, Int)) async throws",
            [.init("a tuple can't be sent: declare a struct that is Encodable")]
        ),
        Row("Self as a parameter", "@GET(\"/a\") func a(b: •Self) async throws", [.init(selfType)]),
        Row("Self as a result", "@GET(\"/a\") func a() async throws -> [•Self]", [.init(selfType)]),
        Row("A closure that does not escape", "@GET(\"/a\") func a(b: •() -> Int) async throws", [.init(closure)]),
        Row(
            "A closure that escapes",
            "@POST(\"/a\") func a(b: @escaping @Sendable •() -> Int) async throws",
            [.init(closure)]
        ),
        Row(
            "A function as a result",
            "@GET(\"/a\") func a() async throws -> •() -> Int",
            [.init("a function can't be decoded")]
        ),
        Row(
            "A parameter that is sent",
            "@POST(\"/a\") func a(b: •sending Item) async throws",
            [.init("a parameter of an endpoint can't be 'sending'", fixIts: ["remove 'sending'"])],
            fixed: "@POST(\"/a\") func a(b: Item) async throws"
        ),
        Row(
            "A borrowed parameter",
            "@POST(\"/a\") func a(b: •borrowing Item) async throws",
            [.init("a parameter of an endpoint can't be 'borrowing'", fixIts: ["remove 'borrowing'"])],
            fixed: "@POST(\"/a\") func a(b: Item) async throws"
        ),
        Row(
            "An implicitly unwrapped value",
            "@GET(\"/a\") func a(b: Int•!) async throws",
            [
                .init(
                    "a value of an endpoint can't be implicitly unwrapped: make it optional with '?'",
                    fixIts: ["replace '!' with '?'"]
                )
            ],
            fixed: "@GET(\"/a\") func a(b: Int?) async throws"
        ),
        Row(
            "A result of any type",
            "@GET(\"/a\") func a() async throws -> •any Named\n@GET(\"/b\") func b() async throws -> [String: •Any]?",
            [
                .init("'any Named' can't be decoded: write the name of a type that is Decodable"),
                .init("'Any' can't be decoded: write the name of a type that is Decodable"),
            ]
        ),
        Row(
            "A type as a result",
            "@GET(\"/a\") func a() async throws -> Array<•Item.Type>",
            [.init("'Item.Type' can't be decoded: write the name of a type that is Decodable")]
        ),
        Row(
            "A parameter of any type, sent as JSON",
            "@POST(\"/a\") func a(b: •Any, c: [•any Encodable]) async throws\n"
                + "@POST(\"/b\") func b(c: Body<[String: •Any]>) async throws",
            [
                .init("'Any' can't be sent as JSON: write the name of a type that is Encodable"),
                .init("'any Encodable' can't be sent as JSON: write the name of a type that is Encodable"),
                .init("'Any' can't be sent as JSON: write the name of a type that is Encodable"),
            ]
        ),
        Row(
            "An operator",
            "@GET(\"/a\") static func •+ (a: Int, b: Int) async throws",
            [.init("an endpoint can't be an operator: give it a name")]
        ),
        Row(
            "A parameter named self",
            "@GET(\"/a\") func a(•`self`: Int) async throws",
            [.init("a parameter of an endpoint can't be named 'self'")]
        ),
        Row(
            "An expression that means the target's own property",
            "@GET(\"/a\") @Sample(•path) func a() async throws -> Item",
            [
                .init(
                    "'path' is a member of the generated target here: write the name of its type or module, too"
                )
            ]
        ),
    ]

    static let protocols = [
        Row(
            "A class's protocol",
            "@API(\"https://a.example\")\nprotocol Shop: •AnyObject {\n@GET(\"/a\") func a() async throws\n}",
            [
                .init(
                    "an API can't inherit from 'AnyObject': its client is a struct",
                    fixIts: ["replace 'AnyObject' with 'Sendable'"]
                )
            ],
            fixed: "@API(\"https://a.example\")\nprotocol Shop: Sendable {\n@GET(\"/a\") func a() async throws\n}"
        ),
        Row(
            "The target's own base URL",
            "@API(•baseURL)\nprotocol Shop {\n@GET(\"/a\") func a() async throws\n}",
            [
                .init(
                    "'baseURL' is a member of the generated target here: write the name of its type or module, too"
                )
            ]
        ),
        Row(
            "An address that is none",
            "@API(•\"https://[zz]\")\nprotocol Shop {\n@GET(\"/a\") func a() async throws\n}",
            [.init("this is not a base URL: '[zz]' is not an IPv6 address")]
        ),
        Row(
            "A port with a sign",
            "@API(•\"https://a.example:+5\")\nprotocol Shop {\n@GET(\"/a\") func a() async throws\n}",
            [.init("this is not a base URL: '+5' is not a port")]
        ),
        Row(
            "A parameter",
            "@API(•\"https://a.example/:version/b\")\nprotocol Shop {\n@GET(\"/a\") func a() async throws\n}",
            [
                .init(
                    "this is not a base URL: ':version' is sent as it is, as a base URL has no parameters; a colon is '%3A'"
                )
            ]
        ),
        Row(
            "A broken escape",
            "@API(•\"https://a.example/%zz\")\nprotocol Shop {\n@GET(\"/a\") func a() async throws\n}",
            [.init("this is not a base URL: after '%' two hexadecimal digits must follow")]
        ),
    ]

    @Test("a local name in an expression of @API does not count as a member")
    func localNames() {
        let expanded = Expansion.expanded(
            """
            @API(Servers.baseURL)
            protocol Shop {
                @GET("/{path}") @Sample({ (path: String) in Item(path: path, task: Defaults.task) })
                func item(path: String) async throws -> Item
            }
            """
        )
        #expect(expanded.contains("ShopAPI"), "\(expanded)")
    }

    @Test(
        "a colon within a path segment is accepted",
        arguments: ["/v1/messages:batchGet", "/a:b", "/{name}:cancel", "/:1", "/:", "/a/:+b", "/%3Aid"]
    )
    func colons(path: String) {
        let expanded = Expansion.expanded(
            """
            @API("https://a.example:80/v1/b:c")
            protocol Shop {
                @POST("\(path)") func a(name: Query<String>) async throws
            }
            """.replacing("Query<String>", with: path.contains("{") ? "String" : "Query<String>")
        )
        #expect(expanded.contains("ShopAPI"), "\(expanded)")
    }

    @Test("types in @API that only the compiler can check are accepted")
    func checkedTypes() {
        let expanded = Expansion.expanded(
            """
            @API("https://a.example")
            protocol Shop {
                @POST("/a") func a(b: any Encodable & Sendable, c: Page<any Named>) async throws -> Page<any Named>
                @GET("/b") func b(c: any CustomStringConvertible & Sendable, d: [Any]) async throws
            }
            """
        )
        #expect(expanded.contains("ShopAPI"), "\(expanded)")
    }

    @Test("literals of every kind are escaped in the expansion")
    func literals() {
        let expanded = Expansion.expanded(
            ##"""
            @API("https://a.example")
            protocol Shop {
                @GET("/x?a=%0A%22%5C%0D%E2%80%A8&b=1") @KeyPath(#"a"b"#) @Names(["c": #"d"e"#])
                func item(c: Int) async throws -> Item
            }
            """##
        )
        #expect(expanded.contains(##""a": "\n\"\\\r\u{2028}""##), "\(expanded)")
        #expect(expanded.contains(##"at: "a\"b""##))
        #expect(expanded.contains(##""d\"e": "##))
    }
}
#endif
