#if Macros
import Testing

@Suite("Mistakes in parameters and protocols are diagnosed")
struct DiagnosticsInParametersTests {
    typealias Row = DiagnosticsInEndpointsTests.Row

    @Test(
        "a parameter that cannot be sent as declared is reported at its place in the source",
        arguments: Self.parameters
    )
    func parameter(row: Row) {
        func source(_ members: String) -> String {
            "@API(\"https://api.example.com\")\nprotocol Shop {\n\(members)\n}"
        }
        Expansion.expect(source(row.members), finds: row.findings, fixed: row.fixed.map { source($0) })
    }

    @Test("an invalid protocol is reported at its place in the source", arguments: Self.protocols)
    func wholeProtocol(row: Row) {
        Expansion.expect(row.members, finds: row.findings, fixed: row.fixed)
    }

    /// Types whose values cannot be written at their place.
    static let forms = [
        Row(
            "A list has no form in a path",
            "@GET(\"/a/{b}\") func a(b: •[Int]) async throws",
            [.init("'[Int]' can't be sent in a path, which has one text for a parameter: use a String")]
        ),
        Row(
            "Nor has a set, or a dictionary",
            "@GET(\"/a/{b}/{c}\") func a(b: •Swift.Set<Int>, c: •[String: Int]) async throws",
            [
                .init("'Swift.Set<Int>' can't be sent in a path, which has one text for a parameter: use a String"),
                .init("'[String: Int]' can't be sent in a path, which has one text for a parameter: use a String"),
            ]
        ),
        Row(
            "Names have no form in a header, nor have lists of lists",
            "@GET(\"/a\") @Headers([\"X\": \"{d}\"]) func a(b: •Header<[String: Int]>, c: •Header<[[Int]]?>, d: •[Set<Int>]) async throws",
            [
                .init(
                    "'[String: Int]' can't be sent in a header, which is one text or a list of texts: use a String"
                ),
                .init("'[[Int]]?' can't be sent in a header, which is one text or a list of texts: use a String"),
                .init("'[Set<Int>]' can't be sent in a header, which is one text or a list of texts: use a String"),
            ]
        ),
        Row(
            "Content is for parts and the body",
            "@POST(\"/a\") func a(b: •Query<HTTPBody>, c: •Header<[MultipartFormData]>, d: Body<HTTPBody>) async throws",
            [
                .init("'HTTPBody' is content, not a text: it can be sent with @Multipart, or as the Body"),
                .init("'MultipartFormData' is content, not a text: it can be sent with @Multipart, or as the Body"),
            ]
        ),
        Row(
            "A file without @Multipart would be sent as its path",
            "@POST(\"/a\") func a(file: •URL) async throws",
            [
                .init(
                    "'file' is sent as a text in JSON, which for a file is its path: add @Multipart or write Body to send the file, or take a String",
                    fixIts: ["add @Multipart", "send it as Body<URL>"],
                    severity: .warning
                )
            ],
            fixed: "@Multipart @POST(\"/a\") func a(file: URL) async throws"
        ),
        Row(
            "So would several",
            "@PUT(\"/a\") func a(_ files: •[Foundation.URL]?) async throws",
            [
                .init(
                    "'files' is sent as a text in JSON, which for a file is its path: add @Multipart or write Body to send the file, or take a String",
                    fixIts: ["add @Multipart"],
                    severity: .warning
                )
            ],
            fixed: "@Multipart @PUT(\"/a\") func a(_ files: [Foundation.URL]?) async throws"
        ),
    ]

    static let parameters =
        forms + [
            Row(
                "One body",
                "@POST(\"/a\") func a(b: Body<Item>, c: •Body<Item>) async throws",
                [.init("a request has one body", fixIts: ["send it as Query<Item>"])],
                fixed: "@POST(\"/a\") func a(b: Body<Item>, c: Query<Item>) async throws"
            ),
            Row(
                "What stands beside a body goes nowhere unless it is said",
                "@POST(\"/a\") func a(b: Body<Item>, •c: Bool) async throws",
                [
                    .init(
                        "'c' is not sent: name it in the path, or mark it as Query or Header",
                        fixIts: ["send it as Query<Bool>", "send it as Header<Bool>"]
                    )
                ],
                fixed: "@POST(\"/a\") func a(b: Body<Item>, c: Query<Bool>) async throws"
            ),
            Row(
                "Nor does it with a download, which sends no body",
                "@POST(\"/a\") @Download func a(•b: Int, to: URL) async throws",
                [
                    .init(
                        "'b' is not sent: name it in the path, or mark it as Query or Header",
                        fixIts: ["send it as Query<Int>", "send it as Header<Int>"]
                    )
                ],
                fixed: "@POST(\"/a\") @Download func a(b: Query<Int>, to: URL) async throws"
            ),
            Row(
                "No body with GET",
                "@GET(\"/a\") func a(b: •Body<Item>) async throws",
                [.init("GET sends no body", fixIts: ["send it as Query<Item>"])],
                fixed: "@GET(\"/a\") func a(b: Query<Item>) async throws"
            ),
            Row(
                "Nor with a WebSocket",
                "@WebSocket(\"/a\") func a(b: •Body<Item>) async throws -> WebSocket",
                [.init("the request for a WebSocket sends no body", fixIts: ["send it as Query<Item>"])],
                fixed: "@WebSocket(\"/a\") func a(b: Query<Item>) async throws -> WebSocket"
            ),
            Row(
                "Nor with HEAD",
                "@HEAD(\"/a\") func a(b: •Field<Int>) async throws",
                [.init("HEAD sends no body", fixIts: ["send it as Query<Int>"])],
                fixed: "@HEAD(\"/a\") func a(b: Query<Int>) async throws"
            ),
            Row(
                "A field needs a form",
                "@POST(\"/a\") func a(b: •Field<Int>) async throws",
                [.init("a field needs @FormURLEncoded", fixIts: ["add @FormURLEncoded"])],
                fixed: "@FormURLEncoded @POST(\"/a\") func a(b: Field<Int>) async throws"
            ),
            Row(
                "A part needs a form",
                "@POST(\"/a\") func a(b: •Part<URL>) async throws",
                [.init("a part needs @Multipart", fixIts: ["add @Multipart"])],
                fixed: "@Multipart @POST(\"/a\") func a(b: Part<URL>) async throws"
            ),
            Row(
                "A form is the body",
                "@POST(\"/a\") @Multipart func a(b: •Body<Item>) async throws",
                [.init("with @Multipart the form is the body")]
            ),
            Row(
                "What is in the path is there",
                "@GET(\"/{b}\") func a(b: •Int?) async throws",
                [.init("a parameter in the path can't be optional")]
            ),
            Row(
                "And is not marked",
                "@GET(\"/{b}\") func a(b: •Query<Int>) async throws",
                [.init("this parameter is already used in the path or a header")]
            ),
            Row(
                "A part of a header's value is there",
                "@GET(\"/a\") @Headers([\"X-A\": \"v{b}\"]) func a(b: •Int?) async throws",
                [
                    .init(
                        "an optional parameter must be the whole value of the header, which is left out if the parameter is nil"
                    )
                ]
            ),
            Row(
                "Two values have two names",
                "@GET(\"/a?c={b}\") func a(b: Int, •c: Int) async throws",
                [.init("another parameter is sent as 'c', too")]
            ),
            Row(
                "Also by their other names",
                "@POST(\"/a\") @Names([\"b\": \"c\"]) func a(b: Int, •c: Int) async throws",
                [.init("another parameter is sent as 'c', too")]
            ),
            Row(
                "A destination outlives the call",
                "@GET(\"/a\") @Download func a(to: •DownloadDestination) async throws",
                [
                    .init(
                        "a destination is called after the call has begun: it must be '@escaping'",
                        fixIts: ["insert '@escaping'"]
                    )
                ],
                fixed: "@GET(\"/a\") @Download func a(to: @escaping DownloadDestination) async throws"
            ),
            Row(
                "And is for a download",
                "@GET(\"/a\") func a(to: @escaping •DownloadDestination) async throws",
                [.init("a destination is for a method with @Download", fixIts: ["add @Download"])],
                fixed: "@Download @GET(\"/a\") func a(to: @escaping DownloadDestination) async throws"
            ),
        ]

    private static let method = "@GET(\"/a\") func a() async throws"

    static let protocols = [
        Row(
            "A struct",
            "@API(\"https://a.example\")\n•struct Shop {}",
            [.init("@API is for a protocol, with a method for each endpoint")]
        ),
        Row(
            "A function",
            "@API(\"https://a.example\")\n•func shop() {}",
            [.init("@API is for a protocol, with a method for each endpoint")]
        ),
        Row(
            "An attribute outside of a protocol",
            "@•GET(\"/a\")\nfunc shop() {}",
            [.init("@GET is for a method of a protocol that has @API")]
        ),
        Row(
            "An attribute in a protocol without @API",
            "protocol Shop {\n@•GET(\"/a\") func a() async throws\n}",
            [.init("@GET is for a method of a protocol that has @API")]
        ),
        Row(
            "A name that the client has a use for",
            "@API(\"https://a.example\")\nprotocol Shop {\n@GET(\"/a\") func •handlers() async throws\n}",
            [
                .init(
                    "the client, or the mock, has a property 'handlers': give the method another name, or a parameter"
                )
            ]
        ),
        Row(
            "No methods",
            "@API(\"https://a.example\")\nprotocol •Shop {}",
            [.init("the API has no endpoints: declare methods in it")]
        ),
        Row(
            "Properties",
            "@API(\"https://a.example\")\nprotocol Shop {\n•var a: Int { get }\n\(method)\n}",
            [.init("an API can only have methods, not properties")]
        ),
        Row(
            "Subscripts",
            "@API(\"https://a.example\")\nprotocol Shop {\n•subscript(a: Int) -> Int { get }\n\(method)\n}",
            [.init("an API can only have methods, not subscripts")]
        ),
        Row(
            "Initializers",
            "@API(\"https://a.example\")\nprotocol Shop {\n•init()\n\(method)\n}",
            [.init("an API can only have methods, not initializers")]
        ),
        Row(
            "Associated types",
            "@API(\"https://a.example\")\nprotocol Shop {\n•associatedtype A\n\(method)\n}",
            [.init("an API can only have methods, not associated types")]
        ),
        Row(
            "No scheme",
            "@API(•\"a.example\")\nprotocol Shop {\n\(method)\n}",
            [.init("this is not a base URL: it has no scheme, such as 'https://'", fixIts: ["insert 'https://'"])],
            fixed: "@API(\"https://a.example\")\nprotocol Shop {\n\(method)\n}"
        ),
        Row(
            "Another scheme",
            "@API(•\"ftp://a.example\")\nprotocol Shop {\n\(method)\n}",
            [.init("this is not a base URL: its scheme must be 'http' or 'https'")]
        ),
        Row(
            "No host",
            "@API(•\"https:///v1\")\nprotocol Shop {\n\(method)\n}",
            [.init("this is not a base URL: it has no host")]
        ),
        Row(
            "A bad host",
            "@API(•\"https://a!b/v1\")\nprotocol Shop {\n\(method)\n}",
            [.init("this is not a base URL: 'a!b' is not a valid host")]
        ),
        Row(
            "A bad port",
            "@API(•\"https://a.example:99999\")\nprotocol Shop {\n\(method)\n}",
            [.init("this is not a base URL: the port 99999 is not in 1...65535")]
        ),
        Row(
            "A space",
            "@API(•\"https://a.example/b c\")\nprotocol Shop {\n\(method)\n}",
            [.init("this is not a base URL: it can't have ' ' as it is")]
        ),
        Row(
            "A user",
            "@API(•\"https://me:secret@a.example\")\nprotocol Shop {\n\(method)\n}",
            [.init("this is not a base URL: a user name or password is not allowed")]
        ),
        Row(
            "A fragment",
            "@API(•\"https://a.example/#b\")\nprotocol Shop {\n\(method)\n}",
            [.init("this is not a base URL: a fragment is not sent to a server")]
        ),
        Row(
            "A header of all with a parameter that none can have",
            "@API(\"https://a.example\") @Headers([\"X-A\": \"•{b}\"])\nprotocol Shop {\n\(method)\n}",
            [.init("there is no parameter 'b'")]
        ),
    ]
}
#endif
