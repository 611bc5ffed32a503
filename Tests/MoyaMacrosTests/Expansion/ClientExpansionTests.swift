#if Macros
import Testing

@Suite("Attributes for clients are expanded")
struct ClientExpansionTests {
    typealias Row = AttributeExpansionTests.Row

    @Test("maps and URLs of requests are expanded", arguments: Self.places)
    func place(row: Row) { check(row) }

    @Test("retries, idempotency keys and coders are expanded", arguments: Self.repetitions)
    func repetition(row: Row) { check(row) }

    @Test("results with a response, results by status and decoded streams are expanded", arguments: Self.results)
    func result(row: Row) { check(row) }

    private func check(_ row: Row) {
        let expanded = Expansion.expanded("@API(\"https://a.example\")\nprotocol Shop {\n\(row.members)\n}")
        for piece in row.pieces {
            #expect(expanded.hasLines(piece), "\(piece)\n--- is not in ---\n\(expanded)")
        }
    }

    static let places = [
        Row(
            "QueryMap",
            "@GET(\"/a?k=v&n={n}\") func a(n: Int, b: Query<String>, c: QueryMap<[String: Int]>, d: QueryMap<Filter>?) async throws",
            "case a(n: Int, b: String, c: [String: Int], d: Filter?)",
            """
            .requestPlain
            .adding(query: MoyaGenerated.NamedFields().adding("k", "v").adding("n", n).adding("b", b).addingMap("c", c).addingMap("d", d))
            """,
            "MoyaGenerated.SentAsJSON<Filter?>"
        ),
        Row(
            "QueryMap beside a body, in a style",
            "@POST(\"/a\") @URLStyle(boolEncoding: .literal) func a(b: Int, c: QueryMap<[Key: Item]>) async throws",
            """
            .requestJSONEncodable(MoyaGenerated.JSONMembers().adding("b", b))
            .adding(query: MoyaGenerated.NamedFields(style: MoyaGenerated.URLEncoding(boolEncoding: .literal)).addingMap("c", c))
            """,
            "@MoyaGeneratedCheck(MoyaGenerated.sent(Key.self), MoyaGenerated.sent(Item.self))"
        ),
        Row(
            "FieldMap",
            "@POST(\"/a\") @FormURLEncoded func a(b: Int, c: FieldMap<[String: String]>) async throws",
            "MoyaGenerated.NamedFields().adding(\"b\", b).addingMap(\"c\", c).form"
        ),
        Row(
            "HeaderMap",
            "@GET(\"/a\") @Headers([\"X-A\": \"1\"]) func a(b: HeaderMap<[String: String]>, c: HeaderMap<Extra>) async throws",
            """
            MoyaGenerated.WireValue.headers(MoyaGenerated.WireValue.headers(["X-A": "1"], adding: b), adding: c)
            """,
            ".requestPlain.checkingHeaders(\"b\", b).checkingHeaders(\"c\", c)"
        ),
        Row(
            "HeaderMap alone",
            "@GET(\"/a\") func a(b: HeaderMap<[String: String]?>) async throws\n@GET(\"/b\") func b() async throws",
            "case .a(let b):\nreturn MoyaGenerated.WireValue.headers([:], adding: b)\ncase .b:\nreturn nil"
        ),
        Row(
            "RequestURL",
            "@GET func a(at link: RequestURL<URL>, page: Int?) async throws -> Item\n@POST(\"/b/{c}\") func b(c: Int) async throws",
            """
            .requestPlain
            .sent(to: link, named: "link")
            .adding(query: MoyaGenerated.NamedFields().adding("page", page))
            """,
            "case .a:\nreturn nil\ncase .b:\nreturn \"/b/{c}\"",
            "case .a:\nreturn \"\"\ncase .b(let c):\nreturn \"/b/\\(MoyaGenerated.PathValue.escape(c))\""
        ),
        Row(
            "RequestURL with a body, and of a download",
            "@POST func a(to link: RequestURL<String>, b: Body<Item>) async throws\n"
                + "@GET @Download func c(_ link: RequestURL<Foundation.URL>, to file: URL) async throws",
            "MoyaGenerated.body(b).sent(to: link, named: \"link\")",
            ".download(to: file).sent(to: link, named: \"link\")"
        ),
        Row(
            "@QUERY sends a body",
            "@QUERY(\"/a\") func a(b: Int) async throws",
            "var method: MoyaGenerated.Method { .query }",
            ".requestJSONEncodable(MoyaGenerated.JSONMembers().adding(\"b\", b))"
        ),
    ]

    static let repetitions = [
        Row(
            "@Retry with a policy, which is created once",
            "@GET(\"/a\") @Retry(RetryPolicy(retryLimit: 5)) func a() async throws\n@GET(\"/b\") func b(c: Int) async throws\n"
                + "@GET(\"/c\") @Retry(RetryPolicy(retryLimit: 5)) func c() async throws\n@GET(\"/d\") @Retry(.never) func d() async throws",
            "nonisolated enum ShopAPI: MoyaGenerated.APITargetType, MoyaGenerated.Equatable, MoyaGenerated.RetryingTargetType {",
            """
            var retryChoice: MoyaGenerated.RetryChoice {
            switch self {
            case .a, .c:
            return Self.declaredRetrier0
            case .b:
            return .inherited
            case .d:
            return .never
            }
            }

            private static let declaredRetrier0 = MoyaGenerated.retryChoice(RetryPolicy(retryLimit: 5))
            """
        ),
        Row(
            "A stored value has a name that the protocol does not use",
            "@GET(\"/a\") @Retry(policy) func declaredRetrier0() async throws",
            "private static let declaredRetrier0_ = MoyaGenerated.retryChoice(policy)"
        ),
        Row(
            "@Idempotent",
            "@POST(\"/a\") @Idempotent func a() async throws\n@PATCH(\"/b\") func b(c: Int) async throws\n"
                + "@POST(\"/c\") @Idempotent(IdempotencyKeys(format: .bare)) func c() async throws",
            "nonisolated enum ShopAPI: MoyaGenerated.APITargetType, MoyaGenerated.Equatable, MoyaGenerated.IdempotentTargetType {",
            """
            var idempotencyKeys: MoyaGenerated.IdempotencyKeys? {
            switch self {
            case .a:
            return MoyaGenerated.IdempotencyKeys()
            case .b:
            return nil
            case .c:
            return IdempotencyKeys(format: .bare)
            }
            }
            """
        ),
        Row(
            "@JSON",
            "@POST(\"/a\") @JSON(encoder: .special, decoder: .special) func a(b: Body<Item>) async throws -> Item\n"
                + "@POST(\"/c\") @JSON(decoder: .special) func c(b: Int) async throws -> Item",
            "private static let declaredEncoder0: MoyaGenerated.JSONEncoder = .special",
            "MoyaGenerated.body(b, encoder: Self.declaredEncoder0)",
            "MoyaGenerated.SampleData.of(Item.self, encoder: Self.declaredEncoder0)",
            "private static let declaredDecoder0: MoyaGenerated.JSONDecoder = .special",
            "try await self.caller.value(of: .a(b: b), using: Self.declaredDecoder0)",
            ".requestJSONEncodable(MoyaGenerated.JSONMembers().adding(\"b\", b))",
            "try await self.caller.value(of: .c(b: b), using: Self.declaredDecoder0)"
        ),
        Row(
            "@Coders",
            "@POST(\"/a\") @Coders(encoder: XMLBody(), decoder: XMLDecoder()) func a(b: Int) async throws -> Item",
            "private static let declaredEncoder0: any MoyaGenerated.RequestEncoder & MoyaGenerated.Sendable = XMLBody()",
            "MoyaGenerated.body(MoyaGenerated.JSONMembers().adding(\"b\", b), encoder: Self.declaredEncoder0)",
            "private static let declaredDecoder0: any MoyaGenerated.ResponseDecoder & MoyaGenerated.Sendable = XMLDecoder()"
        ),
    ]

    static let results = [
        Row(
            "TypedResponse",
            "@GET(\"/a\") @KeyPath(\"b\") func a() async throws -> Moya.TypedResponse<[Item]>",
            "try await self.caller.response(of: .a, at: \"b\")",
            "MoyaGenerated.SampleData.of([Item].self, at: \"b\")",
            "MoyaGenerated.DecodedItem<[Item]>"
        ),
        Row(
            "@ByStatus",
            "@GET(\"/a\") @ByStatus func a() async throws -> Found\n@GET(\"/b\") func b() async throws",
            "try await self.caller.resultByStatus(of: .a)",
            "case .a:\nreturn Found.validationType\ncase .b:\nreturn .successCodes",
            "MoyaGenerated.ResultByStatus<Found>"
        ),
        Row(
            "@ErrorBody for statuses",
            "@GET(\"/a\") @ErrorBody(Conflict.self, for: 409) @ErrorBody(Down.self, for: 500...599) @ErrorBody(Problem.self)\n"
                + "func a() async throws -> Item",
            "private static let declaredErrorBodies0 = [MoyaGenerated.StatusErrorBody(Conflict.self, for: 409), MoyaGenerated.StatusErrorBody(Down.self, for: 500...599)]",
            "try await self.caller.value(of: .a, orThrow: Problem.self, errorBodies: Self.declaredErrorBodies0)"
        ),
        Row(
            "@Stream of decoded events",
            "@POST(\"/a\") @Stream(until: \"[DONE]\") @ErrorBody(Problem.self) func a() async throws -> DecodedEvents<Delta>",
            "self.caller.events(of: .a, until: \"[DONE]\", orThrow: Problem.self)",
            "MoyaGenerated.DecodedItem<Delta>"
        ),
        Row(
            "@Stream of decoded events without an end",
            "@GET(\"/a\") @Stream @JSON(decoder: .special) func a() async throws -> MoyaMacros.DecodedEvents<Delta>",
            "self.caller.events(of: .a, using: Self.declaredDecoder0)"
        ),
        Row(
            "@Stream of decoded lines",
            "@GET(\"/a\") @Stream func a() async throws(MoyaError) -> DecodedLines<Row>",
            "try await self.caller.lines(of: .a)"
        ),
    ]

    @Test(
        "the error bodies of a method precede those of the protocol, and the choices of a protocol apply to all methods"
    )
    func common() {
        let expanded = Expansion.expanded(
            """
            @API("https://a.example") @Retry(policy) @Idempotent @ErrorBody(Gone.self, for: 410)
            protocol Shop {
                @POST("/a") @ErrorBody(Conflict.self, for: 409) func a() async throws
                @POST("/b") @Retry(.inherited) @Idempotent(nil) func b() async throws
                @PUT("/c") func c() async throws
            }
            """
        )
        for piece in [
            "declaredErrorBodies0 = [MoyaGenerated.StatusErrorBody(Conflict.self, for: 409), MoyaGenerated.StatusErrorBody(Gone.self, for: 410)]",
            "declaredErrorBodies1 = [MoyaGenerated.StatusErrorBody(Gone.self, for: 410)]",
            "case .a, .c:\nreturn Self.declaredRetrier0\ncase .b:\nreturn .inherited",
            "case .a:\nreturn MoyaGenerated.IdempotencyKeys()\ncase .b, .c:\nreturn nil",
        ] {
            #expect(expanded.contains(piece) || expanded.hasLines(piece), "\(piece)\n--- is not in ---\n\(expanded)")
        }
    }

    @Test("a part and a composed API are expanded")
    func composition() {
        let part = Expansion.expanded(
            """
            @API("https://a.example", isPart: true)
            public protocol URLTools: Sendable {
                /// All.
                @GET("/a") func tools(page: Int?) async throws(MoyaError) -> [Item]
            }
            """
        )
        for piece in [
            """
            public nonisolated protocol URLToolsPart {
            /// The type that implements the methods.
            associatedtype URLToolsImplementation: URLTools

            /// Implements the methods.
            var urlToolsPart: URLToolsImplementation { get }
            }
            """,
            """
            extension URLTools where Self: URLToolsPart {
            /// All.
            public func tools(page: Int? = nil) async throws(MoyaGenerated.MoyaError) -> [Item] {
            try await self.urlToolsPart.tools(page: page)
            }
            }
            """,
        ] {
            #expect(part.hasLines(piece), "\(piece)\n--- is not in ---\n\(part)")
        }
        let composed = Expansion.expanded("@API public protocol All: URLTools, Sendable & Other.Users {}")
        for piece in [
            "public nonisolated struct AllClient: All, URLToolsPart, Other.UsersPart {",
            "public let urlToolsPart: URLToolsClient\npublic let usersPart: Other.UsersClient",
            "public init(urlToolsPart: URLToolsClient, usersPart: Other.UsersClient) {",
            "usersPart = Other.UsersClient(baseURL: baseURL, session: session, plugins: plugins, encoder: encoder, decoder: decoder)",
            "public nonisolated final class AllMock: All, URLToolsPart, Other.UsersPart, MoyaGenerated.Sendable {",
            "public let usersPart = Other.UsersMock()",
        ] {
            #expect(composed.hasLines(piece), "\(piece)\n--- is not in ---\n\(composed)")
        }
        #expect(!composed.contains("AllAPI"))
    }

    @Test("an enumeration of results by status is expanded")
    func statusResult() {
        Expansion.expect(
            """
            @StatusResult
            public enum Found {
                @Status(200, 203) case item(Item)
                @Status(201) case `new`(value: TypedResponse<Item>)
                @Status(500...599) case failure(Moya.Response)
                @Status(404) case missing
            }
            """,
            """
            public enum Found {
                case item(Item)
                case `new`(value: TypedResponse<Item>)
                case failure(Moya.Response)
                case missing
            }

            nonisolated extension Found: MoyaGenerated.StatusResult {
                public static var validationType: MoyaGenerated.ValidationType { .customCodes([200, 203, 201, 404] + MoyaGenerated.statuses(500...599)) }

                public init(
                    from response: MoyaGenerated.Response,
                    using decoder: any MoyaGenerated.ResponseDecoder
                ) throws(MoyaGenerated.MoyaError) {
                    switch response.statusCode {
                    case 200, 203:
                        self = .item(try MoyaGenerated.StatusValue.of(response, using: decoder))
                    case 201:
                        self = .new(value: try MoyaGenerated.StatusValue.of(response, using: decoder))
                    case 500...599:
                        self = .failure(response)
                    case 404:
                        self = .missing
                    default:
                        throw .statusCode(response)
                    }
                }
            }
            """
        )
        let open = Expansion.expanded("@StatusResult\nenum Found {\ncase other(Response)\n@Status(200) case a\n}")
        #expect(open.hasLines("static var validationType: MoyaGenerated.ValidationType { .none }"), "\(open)")
        #expect(open.hasLines("default:\nself = .other(response)"), "\(open)")
    }
}
#endif
