#if Macros
import Testing

@Suite("Mistakes in attributes for clients are diagnosed")
struct DiagnosticsInClientsTests {
    typealias Row = DiagnosticsInEndpointsTests.Row

    @Test("a map or a URL of a request that cannot be sent is reported at its place", arguments: Self.places)
    func place(row: Row) { checkMembers(row) }

    @Test("an attribute without effect, or with a contradiction, is reported at its place", arguments: Self.attributes)
    func attribute(row: Row) { checkMembers(row) }

    @Test("a composed API, or its part, with a mistake is reported at its place", arguments: Self.composed)
    func composition(row: Row) { Expansion.expect(row.members, finds: row.findings, fixed: row.fixed) }

    @Test("an enumeration of results with a mistake is reported at its place", arguments: Self.statusResults)
    func statusResult(row: Row) { Expansion.expect(row.members, finds: row.findings, fixed: row.fixed) }

    private func checkMembers(_ row: Row) {
        func source(_ members: String) -> String {
            "@API(\"https://api.example.com\")\nprotocol Shop {\n\(members)\n}"
        }
        Expansion.expect(source(row.members), finds: row.findings, fixed: row.fixed.map { source($0) })
    }

    static let places = [
        Row(
            "A map has names",
            "@GET(\"/a\") func a(b: •QueryMap<[Int]>, c: •HeaderMap<String?>, d: •QueryMap<[[Int]: Int]>) async throws",
            [
                .init("'[Int]' has no names for the entries of a map: use a dictionary, or a struct that is Encodable"),
                .init(
                    "'String?' has no names for the entries of a map: use a dictionary, or a struct that is Encodable"
                ),
                .init(
                    "'[[Int]: Int]' has no names for the entries of a map: use a dictionary, or a struct that is Encodable"
                ),
            ]
        ),
        Row(
            "A map's values have a text",
            "@GET(\"/a\") func a(b: QueryMap<[String: •Any]>, c: •HeaderMap<[String: [[Int]]]>) async throws\n"
                + "@POST(\"/b\") @FormURLEncoded func b(c: •FieldMap<[String: HTTPBody]>) async throws",
            [
                .init("'Any' can't be sent as JSON: write the name of a type that is Encodable"),
                .init(
                    "'[String: [[Int]]]' can't be sent in a header, which is one text or a list of texts: use a String"
                ),
                .init("'HTTPBody' is content, not a text: it can be sent with @Multipart, or as the Body"),
            ]
        ),
        Row(
            "A map of fields needs a form",
            "@POST(\"/a\") func a(b: •FieldMap<[String: Int]>) async throws",
            [.init("a field needs @FormURLEncoded", fixIts: ["add @FormURLEncoded"])],
            fixed: "@FormURLEncoded @POST(\"/a\") func a(b: FieldMap<[String: Int]>) async throws"
        ),
        Row(
            "And a body",
            "@GET(\"/a\") func a(b: •FieldMap<[String: Int]>) async throws",
            [.init("GET sends no body", fixIts: ["send it as Query<[String: Int]>"])],
            fixed: "@GET(\"/a\") func a(b: Query<[String: Int]>) async throws"
        ),
        Row(
            "The URL of a request replaces the path",
            "@GET(\"•/a\") func a(b: RequestURL<URL>) async throws",
            [.init("a RequestURL replaces the path: write the method's attribute without a path")]
        ),
        Row(
            "There is one",
            "@GET func a(b: RequestURL<URL>, c: •RequestURL<URL>) async throws",
            [.init("a request has one URL")]
        ),
        Row(
            "It is a URL or a text",
            "@GET func a(b: •RequestURL<URL?>) async throws\n@GET func c(b: •RequestURL<Int>) async throws",
            Array(
                repeating: .init(
                    "the URL of a request is a 'RequestURL<URL>' or a 'RequestURL<String>', and not optional"
                ),
                count: 2
            )
        ),
        Row(
            "Other requests have a path",
            "•@GET func a() async throws\n@GET(\"\") func b() async throws",
            [.init("@GET needs a path, unless a parameter is the RequestURL; an empty path is the base URL itself")]
        ),
        Row(
            "A duration has no form",
            "@GET(\"/a\") func a(b: •Duration, c: •Query<[Swift.Duration?]>) async throws\n"
                + "@POST(\"/b\") func b(c: •Duration) async throws",
            Array(
                repeating: .init("a 'Duration' is encoded as two numbers for Swift only: take the seconds as a number"),
                count: 3
            )
        ),
        Row(
            "A date in JSON needs an encoder",
            "@POST(\"/a\") func a(b: •Date?) async throws\n@PUT(\"/b\") func b(c: •Body<[Foundation.Date]>) async throws\n"
                + "@POST(\"/c\") @JSON(encoder: .dates) func c(d: Date) async throws\n@GET(\"/d\") func d(e: Date) async throws",
            ["b", "c"].map { name in
                .init(
                    "'\(name)' is sent as the number of seconds since 2001, the default of JSONEncoder: declare an encoder with another dateEncodingStrategy in @API or @JSON",
                    severity: .warning
                )
            }
        ),
    ]

    static let attributes = [
        Row(
            "An idempotent method needs no key",
            "@PUT(\"/a\") •@Idempotent func a() async throws",
            [
                .init(
                    "PUT is idempotent, so its requests need no key",
                    fixIts: ["remove @Idempotent"]
                )
            ],
            fixed: "@PUT(\"/a\") func a() async throws"
        ),
        Row(
            "A retrier is no member of the target",
            "@GET(\"/a\") @Retry(•retryChoice) func a() async throws",
            [
                .init(
                    "'retryChoice' is a member of the generated target here: write the name of its type or module, too"
                )
            ]
        ),
        Row(
            "One retrier",
            "@GET(\"/a\") @Retry(.never) •@Retry(.inherited) func a() async throws",
            [.init("@Retry is repeated")]
        ),
        Row(
            "A coder is used",
            "@GET(\"/a\") @JSON(encoder: •.special) func a() async throws -> Item\n"
                + "@POST(\"/b\") @JSON(decoder: •.special) func b(c: Int) async throws\n"
                + "@POST(\"/c\") @FormURLEncoded @Coders(encoder: •XML()) func c(d: Int) async throws",
            [
                .init("this method has no body that an encoder writes"),
                .init("this method has no result and no error body that a decoder reads"),
                .init("this method has no body that an encoder writes"),
            ]
        ),
        Row(
            "And there is one",
            "@GET(\"/a\") •@JSON() func a() async throws -> Item\n@GET(\"/b\") •@Coders(decoder: nil) func b() async throws -> Item",
            [.init("@JSON needs an encoder or a decoder"), .init("@Coders needs an encoder or a decoder")]
        ),
        Row(
            "In one attribute",
            "@POST(\"/a\") @JSON(encoder: .special) •@Coders(decoder: XML()) func a(b: Int) async throws -> Item",
            [.init("@JSON and @Coders exclude each other")]
        ),
        Row(
            "A decoder also reads errors",
            "@POST(\"/a\") @JSON(decoder: .special) @ErrorBody(Problem.self) func a(b: Int) async throws",
            []
        ),
        Row(
            "One error body for a status, and one for all others",
            "@GET(\"/a\") @ErrorBody(A.self, for: 409) •@ErrorBody(B.self, for: 409) @ErrorBody(C.self) •@ErrorBody(D.self) func a() async throws",
            [.init("the status 409 already has an error body"), .init("@ErrorBody is repeated")]
        ),
        Row(
            "A status of several has one error body",
            "@GET(\"/a\") @ErrorBody(A.self, for: 404, 409) •@ErrorBody(B.self, for: 500, 409) func a() async throws",
            [.init("the status 409 already has an error body")]
        ),
        Row(
            "The end of a stream is an event's",
            "@GET(\"/a\") @Stream(until: •\"x\") func a() async throws -> StreamingLines\n"
                + "@GET(\"/b\") @Stream(until: •end) func b() async throws -> DecodedEvents<Item>",
            [
                .init("the data of the last event is for a result of the type 'DecodedEvents<Value>'"),
                .init("this must be a text in quotes, without interpolation"),
            ]
        ),
        Row(
            "Decoded elements have a type",
            "@GET(\"/a\") @Stream func a() async throws -> DecodedEvents<•any Named>\n"
                + "@GET(\"/b\") func b() async throws -> TypedResponse<[•Any]>",
            [
                .init("'any Named' can't be decoded: write the name of a type that is Decodable"),
                .init("'Any' can't be decoded: write the name of a type that is Decodable"),
            ]
        ),
        Row(
            "Decoded elements are streamed",
            "@GET(\"/a\") func a() async throws -> •DecodedLines<Item>",
            [.init("a streamed result needs @Stream", fixIts: ["add @Stream"])],
            fixed: "@Stream @GET(\"/a\") func a() async throws -> DecodedLines<Item>"
        ),
        Row(
            "A result by status is an enum",
            "@GET(\"/a\") @ByStatus func •a() async throws\n@GET(\"/b\") @ByStatus func b() async throws -> •Found?",
            Array(repeating: .init("a method with @ByStatus returns an enum with @StatusResult"), count: 2)
        ),
        Row(
            "Which determines the accepted statuses",
            "@GET(\"/a\") @ByStatus •@Validation(.none) func a() async throws -> Found",
            [.init("@Validation and @ByStatus exclude each other")]
        ),
        Row(
            "And the part of the body",
            "@GET(\"/a\") @ByStatus •@KeyPath(\"b\") func a() async throws -> Found",
            [.init("@KeyPath is for a decoded result: this one is not decoded")]
        ),
        Row(
            "And is no stream, no download and no list",
            "@GET(\"/a\") @Stream •@ByStatus func a() async throws -> StreamingLines\n"
                + "@GET(\"/b\") @ByStatus •@Paged(.link) func b() async throws -> Found",
            [
                .init("@Stream and @ByStatus exclude each other"),
                .init("@ByStatus and @Paged exclude each other"),
            ]
        ),
    ]

    static let composed = [
        Row(
            "An API needs a URL, or something to compose",
            "•@API\nprotocol Shop: Sendable {}",
            [
                .init(
                    "@API needs the base URL, or inherited protocols with '@API(…, isPart: true)' whose methods it composes"
                )
            ]
        ),
        Row(
            "Methods belong to a protocol with a URL",
            "@API\nprotocol Shop: Users {\n•@GET(\"/a\") func a() async throws\n}",
            [
                .init(
                    "an API without a URL has the methods of its inherited protocols: declare this one in such a protocol"
                )
            ]
        ),
        Row(
            "So do attributes",
            "@API •@Bearer\nprotocol Shop: Users {}",
            [.init("@Bearer is for a protocol with methods: write it on the inherited ones")]
        ),
        Row(
            "A part is at the top level",
            "enum Outer {\n@API(\"https://a.example\", isPart: •true)\nprotocol Shop {\n@GET(\"/a\") func a() async throws\n}\n}",
            [
                .init(
                    "a part of composed APIs is declared at the top level of a file, where its protocol can be extended"
                )
            ]
        ),
        Row(
            "And is known as one",
            "@API(\"https://a.example\", isPart: •flag)\nprotocol Shop {\n@GET(\"/a\") func a() async throws\n}",
            [.init("this must be 'true' or 'false'")]
        ),
        Row(
            "An attribute of a method has no effect on an API",
            "@API(\"https://a.example\") •@KeyPath(\"a\")\nprotocol Shop {\n@GET(\"/a\") func a() async throws\n}",
            [.init("@KeyPath is for a method, and not for the whole API")]
        ),
    ]

    static let statusResults = [
        Row(
            "A result by status is an enum",
            "@StatusResult •struct Found {}",
            [.init("@StatusResult is for an enum, with a case for each status")]
        ),
        Row(
            "With cases",
            "@StatusResult enum •Found {}",
            [.init("the enum has no cases: declare one for each status")]
        ),
        Row(
            "Each of which has a status",
            "@StatusResult enum Found {\ncase •item(Item)\n@Status(404) case missing\n}",
            [
                .init(
                    "'item' needs @Status with its statuses, or a 'Response' as its value for all other statuses"
                )
            ]
        ),
        Row(
            "Or all others, once",
            "@StatusResult enum Found {\ncase other(Response)\ncase •more(Response)\n}",
            [.init("another case already has all other statuses")]
        ),
        Row(
            "A case has its own line, and one value",
            "@StatusResult enum Found {\n@Status(200) case a, •b\n@Status(201) case •c(Int, Int)\n}",
            [
                .init("@Status is for one case: write each case in its own line"),
                .init("'c' can only have one value, which is the decoded body"),
            ]
        ),
        Row(
            "A status belongs to one case",
            "@StatusResult enum Found {\n@Status(200, 404) case a\n@Status(•400...410) case b\n@Status(•404, 500, •500) case c\n}",
            [
                .init("another case already has the status 404"), .init("another case already has the status 404"),
                .init("another case already has the status 500"),
            ]
        ),
        Row(
            "And is valid",
            "@StatusResult enum Found {\n@Status(•20) case a\n@Status(•500...600) case b\n•@Status() case c\n}",
            Array(repeating: .init("a status is a number from 100 to 599 (RFC 9110, section 15)"), count: 3)
        ),
        Row(
            "A status is that of a case of such an enum",
            "enum Found {\n@•Status(200) case a\n}",
            [.init("@Status is for a case of an enum that has @StatusResult")]
        ),
    ]
}
#endif
