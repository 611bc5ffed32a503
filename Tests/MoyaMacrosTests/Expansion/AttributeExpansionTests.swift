#if Macros
import Testing

@Suite("Attributes and markers are expanded")
struct AttributeExpansionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var rule: String
        var members: String
        /// The expected lines of the expansion, regardless of indentation.
        var pieces: [String]

        init(_ rule: String, _ members: String, _ pieces: String...) {
            (self.rule, self.members, self.pieces) = (rule, members, pieces)
        }

        var testDescription: String { rule }
    }

    @Test("methods, paths and queries of @API are expanded", arguments: Self.routes)
    func route(row: Row) { check(row) }

    @Test("bodies of @API are expanded", arguments: Self.bodies)
    func body(row: Row) { check(row) }

    @Test("headers and authorization of @API are expanded", arguments: Self.headers)
    func header(row: Row) { check(row) }

    @Test("case names of @API are expanded", arguments: Self.cases)
    func caseName(row: Row) { check(row) }

    @Test("default values of @API are expanded", arguments: Self.defaults)
    func defaultValue(row: Row) { check(row) }

    @Test("@API generates type checks at the method", arguments: Self.checks)
    func typeCheck(row: Row) { check(row) }

    @Test("unnecessary type checks are omitted from the expansion")
    func noChecks() {
        let expanded = Expansion.expanded(
            """
            @API("https://a.example")
            protocol Shop {
                @GET("/a/{b}") func a(b: String, c: [Int?]) async throws -> Response
                @POST("/b") func b(c: Body<Data>) async throws -> Data?
                @POST("/c") func c(d: Body<Foundation.URL?>) async throws -> String
                @POST("/d") func d(e: Body<MoyaHTTP.HTTPBody>, f: Query<Foundation.Date>, g: Header<UUID?>) async throws
                @POST("/e") @Multipart func e(f: [URL], g: HTTPBody) async throws
                @POST("/f") @FormURLEncoded func f(g: [String: Any]) async throws
                @POST("/g") func g(h: any Encodable & Sendable) async throws
                @POST("/j") func j(h: Body<(any Encodable & Sendable)?>) async throws
                @GET("/h") @Stream func h() async throws -> StreamingLines
                @GET("/i") @Download func i(to: URL) async throws -> Response
            }
            """
        )
        #expect(!expanded.contains("typealias"), "\(expanded)")
        #expect(expanded.contains("ShopAPI"))
    }

    @Test("the expansion of a nested protocol has no extension, because its types would be out of scope")
    func nested() {
        let expanded = Expansion.expanded(
            "enum Outer {\n@API(\"https://a.example\")\nprotocol Shop {\n@GET(\"/a\") func a(b: Item?) async throws\n}\n}"
        )
        #expect(!expanded.contains("extension"), "\(expanded)")
        #expect(expanded.hasLines("func a(b: Item? = nil) async throws {\ntry await self.caller.send("))
    }

    @Test("an unnecessary extension is omitted from the expansion")
    func noExtension() {
        let expanded = Expansion.expanded(
            "@API(\"https://a.example\")\nprotocol Shop {\n@GET(\"/a\") func a(b: Int) async throws\n}"
        )
        #expect(!expanded.contains("extension"), "\(expanded)")
    }

    @Test(
        "the generated comparison of calls has a default only for several cases, and is omitted without parameters"
    )
    func equality() {
        let single = Expansion.expanded(
            "@API(\"https://a.example\")\nprotocol Shop {\n@GET(\"/a\") func a(b: Int) async throws\n}"
        )
        let comparison = """
            static func == (lhs: Self, rhs: Self) -> MoyaGenerated.Bool {
            switch (lhs, rhs) {
            case (.a(let lhs0), .a(let rhs0)):
            return MoyaGenerated.areEqual(lhs0, rhs0)
            }
            }
            """
        #expect(single.hasLines(comparison), "\(single)")
        let several = Expansion.expanded(
            """
            @API("https://a.example")
            protocol Shop {
                @GET("/a") func a() async throws
                @GET("/b") func `default`(lhs: Int, rhs: Int) async throws
            }
            """
        )
        let cases = """
            case (.a, .a):
            return true
            case (.`default`(let lhs0, let lhs1), .`default`(let rhs0, let rhs1)):
            return MoyaGenerated.areEqual(lhs0, rhs0)
            && MoyaGenerated.areEqual(lhs1, rhs1)
            default:
            return false
            """
        #expect(several.hasLines(cases), "\(several)")
        let plain = Expansion.expanded(
            "@API(\"https://a.example\")\nprotocol Shop {\n@GET(\"/a\") func a() async throws\n}"
        )
        #expect(plain.hasLines("enum ShopAPI: MoyaGenerated.APITargetType, MoyaGenerated.Equatable {"))
        #expect(!plain.contains("=="), "\(plain)")
    }

    @Test("results of @API are expanded", arguments: Self.answers)
    func answer(row: Row) { check(row) }

    @Test("a protocol's attributes apply to all methods, and a method may replace them")
    func common() {
        let expanded = Expansion.expanded(
            """
            @available(macOS 15, *)
            @API(Servers.shop, keys: .snakeCase)
            @Headers(["Accept": "application/json", "X-A": "1"]) @Bearer @Validation(.none) @ErrorBody(Problem.self)
            @URLStyle(arrayEncoding: .noBrackets) @Timeout(20)
            public protocol Shop: Sendable {
                /// All of them.
                @GET("/items") func items(byName: [String]) async throws -> [Item]
                @POST("/items") @Authorization(nil) @Headers(["accept": "*/*"]) @Timeout(nil) func add(itemName: String) async throws
            }
            """
        )
        for piece in [
            "@available(macOS 15, *)\n/// The requests of ``Shop``, with a case for each method.\n"
                + "public nonisolated enum ShopAPI: MoyaGenerated.APITargetType, MoyaGenerated.Equatable, MoyaGenerated.AccessTokenAuthorizable {",
            "@available(macOS 15, *)\n/// A client for ``Shop``.\npublic nonisolated struct ShopClient: Shop, MoyaGenerated.APIClient {",
            "/// All of them.\ncase items(byName: [String])",
            "public var baseURL: MoyaGenerated.URL { Servers.shop }",
            """
            .requestParameters(
            parameters: ["by_name": MoyaGenerated.WireValue.of(byName)],
            encoding: MoyaGenerated.URLEncoding(destination: .queryString, arrayEncoding: .noBrackets)
            )
            """,
            "case .items:\nreturn [\"Accept\": \"application/json\", \"X-A\": \"1\"]",
            "case .add:\nreturn [\"X-A\": \"1\", \"accept\": \"*/*\"]",
            "case .items:\nreturn .bearer\ncase .add:\nreturn nil",
            "public var validationType: MoyaGenerated.ValidationType { .none }",
            "public var timeoutInterval: MoyaGenerated.TimeInterval? {\nswitch self {\ncase .items:\nreturn 20\ncase .add:\nreturn nil\n}\n}",
            ".requestJSONEncodable(MoyaGenerated.JSONMembers().adding(\"item_name\", itemName))",
            "try await self.caller.send(to: .add(itemName: itemName), orThrow: Problem.self)",
            "public init(caller: MoyaGenerated.APICaller<ShopAPI>) { self.caller = caller }",
            "public nonisolated final class ShopMock: Shop, MoyaGenerated.Sendable {",
            "public var items: (@Sendable (_ byName: [String]) async throws -> [Item])?",
        ] {
            #expect(expanded.hasLines(piece), "\(piece)\n--- is not in ---\n\(expanded)")
        }
    }

    @Test("the times of a protocol apply to all methods, and a method may replace each of them")
    func commonTimeouts() {
        let expanded = Expansion.expanded(
            """
            @API("https://a.example") @Timeout(20, total: .seconds(60), connect: .seconds(2))
            public protocol Shop {
                @GET("/a") func a() async throws
                @GET("/b") @Timeout(total: .seconds(5), pool: .seconds(1)) func b() async throws
                @GET("/c") @Timeout(nil, total: nil) func c() async throws
            }
            """
        )
        for piece in [
            "public var timeoutInterval: MoyaGenerated.TimeInterval? {\nswitch self {\ncase .a, .b:\nreturn 20\ncase .c:\nreturn nil\n}\n}",
            """
            public var timeouts: MoyaGenerated.RequestTimeouts {
            switch self {
            case .a:
            return MoyaGenerated.RequestTimeouts(total: .seconds(60), connect: .seconds(2))
            case .b:
            return MoyaGenerated.RequestTimeouts(total: .seconds(5), connect: .seconds(2), pool: .seconds(1))
            case .c:
            return MoyaGenerated.RequestTimeouts(total: nil, connect: .seconds(2))
            }
            }
            """,
        ] {
            #expect(expanded.hasLines(piece), "\(piece)\n--- is not in ---\n\(expanded)")
        }
        let seconds = Expansion.expanded(
            "@API(\"https://a.example\") @Timeout(20)\nprotocol Shop {\n@GET(\"/a\") func a() async throws\n}"
        )
        #expect(!seconds.contains("RequestTimeouts"), "\(seconds)")
    }

    @Test(
        "access levels in the expansion follow the access level of the protocol",
        arguments: ["public", "package", "fileprivate", "private"]
    )
    func access(level: String) {
        let expanded = Expansion.expanded(
            "@API(\"https://a.example\")\n\(level) protocol Shop {\n@GET(\"/a\") func a() async throws\n}"
        )
        let member = ["public", "package"].contains(level) ? level + " " : ""
        #expect(
            expanded.hasLines(
                "\(level) nonisolated enum ShopAPI: MoyaGenerated.APITargetType, MoyaGenerated.Equatable {"
            )
        )
        #expect(expanded.hasLines("\(level) nonisolated struct ShopClient: Shop, MoyaGenerated.APIClient {"))
        #expect(expanded.hasLines("\(level) nonisolated final class ShopMock: Shop, MoyaGenerated.Sendable {"))
        #expect(expanded.hasLines("\(member)var isPathEscaped: MoyaGenerated.Bool { true }"))
        #expect(expanded.hasLines("\(member)func a() async throws {"))
    }

    @Test("generated methods with default values have the protocol's access level, availability and isolation")
    func extensionAccess() {
        let expanded = Expansion.expanded(
            """
            @available(macOS 15, *)
            @API("https://a.example")
            public nonisolated protocol Shop {
                @GET("/a") func a(b: Int?) async throws
            }
            """
        )
        let text = """
            @available(macOS 15, *)
            nonisolated extension Shop {
            public func a(b: Int? = nil, _: MoyaGenerated.Defaults = MoyaGenerated.Defaults()) async throws {
            try await self.a(b: b)
            }
            }
            """
        #expect(expanded.hasLines(text), "\(expanded)")
    }

    private func check(_ row: Row) {
        let expanded = Expansion.expanded("@API(\"https://a.example\")\nprotocol Shop {\n\(row.members)\n}")
        for piece in row.pieces {
            #expect(expanded.hasLines(piece), "\(piece)\n--- is not in ---\n\(expanded)")
        }
    }

    static let cases = [
        Row(
            "Labels tell overloads apart",
            "@GET(\"/a\") func a() async throws\n@GET(\"/a\") func a(_ b: Int) async throws\n"
                + "@GET(\"/a\") func a(c d: Int) async throws",
            "case a\ncase aB(Int)\ncase aC(c: Int)",
            "try await self.caller.send(to: .aC(c: d))"
        ),
        Row(
            "And where they are the same, types",
            "@GET(\"/a\") func a(b: Int) async throws\n@GET(\"/a\") func a(b: [Swift.Int]?) async throws\n"
                + "@GET(\"/a\") func a(b: Query<Page<Int>>) async throws\n@GET(\"/a\") func a(c: Int) async throws\n"
                + "@GET(\"/a\") func a(b: [String: Int]) async throws",
            """
            case aBInt(b: Int)
            case aBOptionalArraySwiftInt(b: [Swift.Int]?)
            case aBPageInt(b: Page<Int>)
            case aC(c: Int)
            case aBDictionaryStringInt(b: [String: Int])
            """,
            "var aBInt: (@Sendable (_ b: Int) async throws -> ())?",
            "named: \"aBPageInt\""
        ),
        Row(
            "And where these are the same, results",
            "@GET(\"/a\") func a(b: Int) async throws -> [Item]\n@GET(\"/a\") func a(b: Int) async throws -> Response\n"
                + "@GET(\"/a\") func a(b: Int) async throws",
            """
            case aBReturningArrayItem(b: Int)
            case aBReturningResponse(b: Int)
            case aBReturningVoid(b: Int)
            """,
            "var aBReturningArrayItem: (@Sendable (_ b: Int) async throws -> [Item])?"
        ),
        Row(
            "Or both",
            "@GET(\"/a\") func a(b: Int) async throws -> Item\n@GET(\"/a\") func a(b: Int) async throws -> Data\n"
                + "@GET(\"/a\") func a(b: String) async throws -> Data",
            """
            case aBIntReturningItem(b: Int)
            case aBIntReturningData(b: Int)
            case aBStringReturningData(b: String)
            """
        ),
        Row(
            "A route is no name",
            "@POST(\"/graphql\") func a(query: String) async throws -> Item\n"
                + "@POST(\"/graphql\") func b(query: String) async throws -> Data",
            "case a(query: String)\ncase b(query: String)",
            "var path: MoyaGenerated.String { \"/graphql\" }"
        ),
    ]

    static let defaults = [
        Row(
            "An optional parameter is nil",
            "/// All.\n@discardableResult @GET(\"/a\") func a(b: Int?, c: Int) async throws -> Item",
            "/// All.\nfunc a(b: Int? = nil, c: Int) async throws -> Item {",
            """
            extension Shop {
            /// All.
            @discardableResult func a(b: Int? = nil, c: Int, _: MoyaGenerated.Defaults = MoyaGenerated.Defaults()) \
            async throws -> Item {
            try await self.a(b: b, c: c)
            }
            }
            """,
            "func a(b: Int? = nil, c: Int) async throws -> Item {\ntry await self.state.handler("
        ),
        Row(
            "@Default",
            "@GET(\"/a\") @Default(\"b\", 30) @Default(\"order\", Order.byName) @Default(\"tag\", \"x\")\n"
                + "func a(_ b: Int, by order: Query<Order>, tag: String?) async throws(MoyaError)",
            """
            func a(_ b: Int = 30, by order: Order = Order.byName, tag: String? = "x") async throws(MoyaGenerated.MoyaError) {
            """,
            """
            func a(
            _ b: Int = 30,
            by order: Order = Order.byName,
            tag: String? = "x",
            _: MoyaGenerated.Defaults = MoyaGenerated.Defaults()
            ) async throws(MoyaGenerated.MoyaError) {
            try await self.a(b, by: order, tag: tag)
            }
            """
        ),
    ]

    static let routes = [
        Row(
            "@GET",
            "@GET(\"/a\") func a() async throws",
            "var method: MoyaGenerated.Method { .get }",
            "var path: MoyaGenerated.String { \"/a\" }"
        ),
        Row("@POST", "@POST(\"/a\") func a() async throws", "var method: MoyaGenerated.Method { .post }"),
        Row("@PUT", "@PUT(\"/a\") func a() async throws", "var method: MoyaGenerated.Method { .put }"),
        Row("@PATCH", "@PATCH(\"/a\") func a() async throws", "var method: MoyaGenerated.Method { .patch }"),
        Row("@DELETE", "@DELETE(\"/a\") func a() async throws", "var method: MoyaGenerated.Method { .delete }"),
        Row("@HEAD", "@HEAD(\"/a\") func a() async throws", "var method: MoyaGenerated.Method { .head }"),
        Row("@OPTIONS", "@OPTIONS(\"/a\") func a() async throws", "var method: MoyaGenerated.Method { .options }"),
        Row(
            "@HTTP",
            "@HTTP(\"PURGE\", \"/a\") func a() async throws",
            "var method: MoyaGenerated.Method { MoyaGenerated.Method(rawValue: \"PURGE\") }"
        ),
        Row(
            "No path is the base URL",
            "@GET(\"\") func a() async throws",
            "var path: MoyaGenerated.String { \"\" }"
        ),
        Row(
            "A module's name in front of an attribute",
            "@MoyaMacros.GET(\"/a\") func a(b: MoyaMacros.Query<Int>) async throws",
            "case a(b: Int)"
        ),
        Row(
            "A text in the path is escaped and looked at",
            "@GET(\"/users/{name}/x\") func user(of name: String) async throws",
            "case user(of: String)",
            "case .user(let name):\nreturn \"/users/\\(MoyaGenerated.PathValue.escape(name))/x\"",
            "case .user(let name):\nreturn .requestPlain.checkingPath(\"name\", name)",
            "try await self.caller.send(to: .user(of: name))"
        ),
        Row(
            "So is a number, whose type may be an application's own",
            "@GET(\"/users/{id}\") func user(_ id: Int) async throws",
            "case user(Int)",
            "case .user(let id):\nreturn \"/users/\\(MoyaGenerated.PathValue.escape(id))\"",
            "try await self.caller.send(to: .user(id))"
        ),
        Row(
            "GET, HEAD and DELETE have their other parameters in the query",
            "@DELETE(\"/a\") func a(b: Int, c: String?) async throws",
            "parameters: [\"b\": MoyaGenerated.WireValue.of(b), \"c\": MoyaGenerated.WireValue.of(c)],",
            "encoding: MoyaGenerated.URLEncoding.queryString"
        ),
        Row(
            "Types of one's own are asked for their raw values",
            "@GET(\"/a\") func a(b: Order) async throws",
            "parameters: [\"b\": MoyaGenerated.WireValue.of(b)],",
            "encoding: MoyaGenerated.URLEncoding.queryString"
        ),
        Row(
            "A query in the template",
            "@GET(\"/a?type=x%20y&per_page={perPage}&c=\") func a(perPage: Int) async throws",
            "[\"type\": \"x y\", \"per_page\": MoyaGenerated.WireValue.of(perPage), \"c\": \"\"]"
        ),
        Row(
            "A query besides a body",
            "@POST(\"/a?d=1\") func a(b: Body<Item>, c: Query<Bool>) async throws",
            "MoyaGenerated.body(b).adding(query: [\"d\": \"1\", \"c\": MoyaGenerated.WireValue.of(c)])"
        ),
        Row(
            "@URLStyle",
            "@GET(\"/a\") @URLStyle(boolEncoding: .literal) func a(b: Bool) async throws",
            "encoding: MoyaGenerated.URLEncoding(destination: .queryString, boolEncoding: .literal)"
        ),
        Row(
            "@Names",
            "@GET(\"/a\") @Names([\"b\": \"b[0]\"]) func a(b: Int) async throws",
            "[\"b[0]\": MoyaGenerated.WireValue.of(b)]"
        ),
        Row(
            "Methods with the same name have cases of other names",
            "@GET(\"/a\") func a() async throws\n@GET(\"/a/{b}\") func a(b: Int) async throws",
            "case a\ncase aB(b: Int)",
            "func a(b: Int) async throws {\ntry await self.caller.send(to: .aB(b: b))"
        ),
    ]

    static let bodies = [
        Row(
            "Others have them in a JSON object",
            "@POST(\"/a\") func a(b: Int, c: String?) async throws",
            ".requestJSONEncodable(MoyaGenerated.JSONMembers().adding(\"b\", b).adding(\"c\", c))"
        ),
        Row(
            "Body is the whole of it",
            "@PUT(\"/a\") func a(b: Body<[Item]>) async throws",
            "MoyaGenerated.body(b)"
        ),
        Row("Data as it is", "@PUT(\"/a\") func a(b: Body<Data>) async throws", "MoyaGenerated.body(b)"),
        Row("A file", "@PUT(\"/a\") func a(b: Body<URL>) async throws", "MoyaGenerated.body(b)"),
        Row("Any body", "@PUT(\"/a\") func a(b: Body<HTTPBody>) async throws", "MoyaGenerated.body(b)"),
        Row(
            "Or none",
            "@PUT(\"/a\") func a(b: Body<Item>?) async throws",
            "case a(b: Item?)",
            "(b.map { MoyaGenerated.body($0) } ?? .requestPlain)"
        ),
        Row("DELETE with a body", "@DELETE(\"/a\") func a(b: Body<Item>) async throws", "MoyaGenerated.body(b)"),
        Row(
            "@FormURLEncoded",
            "@POST(\"/a\") @FormURLEncoded func a(b: Int, c: Field<Bool>) async throws",
            "parameters: [\"b\": MoyaGenerated.WireValue.of(b), \"c\": MoyaGenerated.WireValue.of(c)],",
            "encoding: MoyaGenerated.URLEncoding.httpBody"
        ),
        Row(
            "@FormURLEncoded with a style",
            "@POST(\"/a\") @FormURLEncoded @URLStyle(boolEncoding: .literal) func a(c: Bool) async throws",
            "encoding: MoyaGenerated.URLEncoding(destination: .httpBody, boolEncoding: .literal)"
        ),
        Row(
            "@Multipart",
            """
            @POST("/a") @Multipart
            func a(b: URL, c: Part<Data>, d: String, e: Int, f: MultipartFormData) async throws
            """,
            """
            MoyaGenerated.FormParts().adding("b", b).adding("c", c).adding("d", d).adding("e", e).adding("f", f).task
            """
        ),
        Row(
            "@Multipart with a style",
            "@POST(\"/a\") @Multipart @URLStyle(boolEncoding: .literal) func a(b: Bool?) async throws",
            "MoyaGenerated.FormParts(style: MoyaGenerated.URLEncoding(boolEncoding: .literal)).adding(\"b\", b).task"
        ),
    ]

    static let headers = [
        Row(
            "None",
            "@GET(\"/a\") func a() async throws",
            "var headers: [MoyaGenerated.String: MoyaGenerated.String]? { nil }"
        ),
        Row(
            "@Headers",
            "@GET(\"/a\") @Headers([\"Accept\": \"text/plain\"]) func a() async throws",
            "var headers: [MoyaGenerated.String: MoyaGenerated.String]? { [\"Accept\": \"text/plain\"] }"
        ),
        Row(
            "@Headers with a parameter",
            "@GET(\"/a\") @Headers([\"X-A\": \"v{b}\", \"X-C\": \"{c}\"]) func a(b: Int, c: String) async throws",
            "\"X-A\": \"v\\(MoyaGenerated.WireValue.header(b) ?? \"\")\",",
            "\"X-C\": MoyaGenerated.WireValue.header(c)",
            ".requestPlain.checkingHeader(\"b\", b).checkingHeader(\"c\", c)"
        ),
        Row(
            "Header",
            "@GET(\"/a\") func a(xRequestID: Header<String>, eTag: Query<Int>) async throws",
            "MoyaGenerated.WireValue.headers([\"X-Request-ID\": MoyaGenerated.WireValue.header(xRequestID)])",
            ".checkingHeader(\"xRequestID\", xRequestID)"
        ),
        Row(
            "Header that may be missing",
            "@GET(\"/a\") func a(ifNoneMatch: Header<String?>) async throws",
            "MoyaGenerated.WireValue.headers([\"If-None-Match\": MoyaGenerated.WireValue.header(ifNoneMatch)])"
        ),
        Row(
            "A style reaches the path and the headers",
            "@GET(\"/a/{b}\") @URLStyle(boolEncoding: .literal) func a(b: Bool, c: Header<Bool>) async throws",
            "MoyaGenerated.PathValue.escape(b, style: MoyaGenerated.URLEncoding(boolEncoding: .literal))",
            ".checkingPath(\"b\", b, style: MoyaGenerated.URLEncoding(boolEncoding: .literal))",
            ".checkingHeader(\"c\", c, style: MoyaGenerated.URLEncoding(boolEncoding: .literal))",
            "MoyaGenerated.WireValue.header(c, style: MoyaGenerated.URLEncoding(boolEncoding: .literal))"
        ),
        Row(
            "@Bearer",
            "@GET(\"/a\") @Bearer func a() async throws",
            "var authorizationType: MoyaGenerated.AuthorizationType? { .bearer }"
        ),
        Row(
            "@Basic",
            "@GET(\"/a\") @Basic func a() async throws",
            "var authorizationType: MoyaGenerated.AuthorizationType? { .basic }"
        ),
        Row(
            "@Authorization",
            "@GET(\"/a\") @Authorization(.custom(\"token\")) func a() async throws",
            "var authorizationType: MoyaGenerated.AuthorizationType? { .custom(\"token\") }"
        ),
    ]

    static let answers = [
        Row(
            "@Timeout",
            "@GET(\"/a\") @Timeout(2.5) func a() async throws\n@GET(\"/b\") func b(c: Int) async throws\n"
                + "@GET(\"/c\") @Timeout(Limits.long) func c() async throws",
            """
            var timeoutInterval: MoyaGenerated.TimeInterval? {
            switch self {
            case .a:
            return 2.5
            case .b:
            return nil
            case .c:
            return Limits.long
            }
            }
            """
        ),
        Row(
            "@Timeout with durations",
            "@GET(\"/a\") @Timeout(5, total: .seconds(30), firstByte: Limits.short) func a() async throws\n"
                + "@GET(\"/b\") func b(c: Int) async throws\n"
                + "@GET(\"/c\") @Timeout(pool: nil) func c() async throws",
            "nonisolated enum ShopAPI: MoyaGenerated.APITargetType, MoyaGenerated.Equatable,"
                + " MoyaGenerated.TimeLimitedTargetType {",
            """
            var timeoutInterval: MoyaGenerated.TimeInterval? {
            switch self {
            case .a:
            return 5
            case .b, .c:
            return nil
            }
            }
            """,
            """
            var timeouts: MoyaGenerated.RequestTimeouts {
            switch self {
            case .a:
            return MoyaGenerated.RequestTimeouts(total: .seconds(30), firstByte: Limits.short)
            case .b:
            return MoyaGenerated.RequestTimeouts()
            case .c:
            return MoyaGenerated.RequestTimeouts(pool: nil)
            }
            }
            """
        ),
        Row(
            "@Cache",
            "@GET(\"/a\") @Cache(.returnCacheDataElseLoad) func a() async throws\n@GET(\"/b\") func b(c: Int) async throws",
            """
            var cachePolicy: MoyaGenerated.CachePolicy {
            switch self {
            case .a:
            return .returnCacheDataElseLoad
            case .b:
            return .useProtocolCachePolicy
            }
            }
            """
        ),
        Row(
            "A value",
            "@GET(\"/a\") func a() async throws -> Item",
            "try await self.caller.value(of: .a)",
            "var sampleData: MoyaGenerated.Data { MoyaGenerated.SampleData.of(Item.self) }"
        ),
        Row(
            "A value, or none",
            "@GET(\"/a\") func a() async throws -> Item?",
            "func a() async throws -> Item? {\ntry await self.caller.valueIfPresent(of: .a)",
            "var sampleData: MoyaGenerated.Data { MoyaGenerated.SampleData.of(Item.self) }"
        ),
        Row(
            "An error of ours",
            "@GET(\"/a\") func a() async throws(MoyaError) -> Item",
            "func a() async throws(MoyaGenerated.MoyaError) -> Item {",
            "var a: (@Sendable () async throws(MoyaGenerated.MoyaError) -> Item)?"
        ),
        Row("Nothing", "@GET(\"/a\") func a() async throws -> Void", "func a() async throws {"),
        Row(
            "The response",
            "@GET(\"/a\") func a() async throws -> Moya.Response",
            "func a() async throws -> Moya.Response {"
        ),
        Row(
            "@KeyPath",
            "@GET(\"/a\") @KeyPath(\"b.c\") func a() async throws -> [Item]",
            "try await self.caller.value(of: .a, at: \"b.c\")",
            "MoyaGenerated.SampleData.of([Item].self, at: \"b.c\")"
        ),
        Row(
            "@Validation",
            "@GET(\"/a\") @Validation(.customCodes([200, 404])) func a() async throws",
            "var validationType: MoyaGenerated.ValidationType { .customCodes([200, 404]) }"
        ),
        Row(
            "@ErrorBody",
            "@GET(\"/a\") @ErrorBody(Problem.self) func a() async throws -> Item",
            "try await self.caller.value(of: .a, orThrow: Problem.self)"
        ),
        Row(
            "@ErrorBody for several statuses",
            "@GET(\"/a\") @ErrorBody(Problem.self, for: 404, 409, 500) func a() async throws -> Item",
            "MoyaGenerated.StatusErrorBody(Problem.self, for: 404)",
            "MoyaGenerated.StatusErrorBody(Problem.self, for: 409)",
            "MoyaGenerated.StatusErrorBody(Problem.self, for: 500)"
        ),
        Row(
            "@Sample with a text",
            "@GET(\"/a\") @Sample(#\"{\"b\": 1}\"#) func a() async throws -> Item",
            "var sampleData: MoyaGenerated.Data { MoyaGenerated.SampleData.of(#\"{\"b\": 1}\"#) }"
        ),
        Row(
            "@Sample with a value",
            "@GET(\"/a\") @Sample(Item(b: 1)) func a() async throws -> Item",
            "var sampleData: MoyaGenerated.Data { MoyaGenerated.SampleData.of(Item(b: 1)) }"
        ),
        Row(
            "@Sample with a function",
            "@GET(\"/a/{b}\") @Sample({ (b: Int) in Item(b: b) }) func a(b: Int) async throws -> Item",
            "case .a(let b):\nreturn MoyaGenerated.SampleData.of(({ (b: Int) in Item(b: b) })(b))"
        ),
        Row(
            "@Download to where a function says",
            "@GET(\"/a\") @Download func a(b: Int, to: @escaping DownloadDestination) async throws",
            "case a(b: Int, to: DownloadDestination)",
            ".downloadDestination(to).adding(query: [\"b\": MoyaGenerated.WireValue.of(b)])",
            "func a(b: Int, to: @escaping DownloadDestination) async throws {"
        ),
        Row(
            "@Download to a file",
            "@GET(\"/a\") @Download func a(file: URL) async throws -> Response",
            ".download(to: file)"
        ),
        Row(
            "@Paged",
            "@GET(\"/a\") @Paged(.link) func a(b: Int) async throws -> PagedSequence<Item>",
            "func a(b: Int) async throws -> PagedSequence<Item> {",
            "self.caller.pages(of: .a(b: b), by: .link)",
            "MoyaGenerated.SampleData.of([Item].self)",
            "// The items of 'a' are decoded: their type must be Decodable and Sendable.",
            "MoyaGenerated.DecodedItem<Item>"
        ),
        Row(
            "@Paged with the location of the items, and with an error body",
            """
            @POST("/a") @Paged(.cursor(at: "next", query: "c")) @KeyPath("x.items") @ErrorBody(Failure.self)
            func a() async throws(MoyaError) -> Moya.PagedSequence<[String: Item]>
            """,
            "self.caller.pages(",
            "of: .a,",
            "by: .cursor(at: \"next\", query: \"c\"),",
            "at: \"x.items\",",
            "orThrow: Failure.self",
            "MoyaGenerated.SampleData.of([[String: Item]].self, at: \"x.items\")"
        ),
        Row(
            "@Stream of events, over as many connections as it takes",
            "@GET(\"/a\") @Stream func a() async throws -> ServerSentEvents",
            "func a() async throws -> ServerSentEvents {\nself.provider.events(.a)"
        ),
        Row(
            "@Stream of one connection's events",
            "@POST(\"/a\") @Stream func a(b: String) async throws -> StreamingEvents",
            ".requestJSONEncodable(MoyaGenerated.JSONMembers().adding(\"b\", b))",
            "try await self.caller.stream(of: .a(b: b)).events"
        ),
        Row(
            "@Stream of lines",
            "@GET(\"/a\") @Stream func a() async throws -> StreamingLines",
            "try await self.caller.stream(of: .a).lines"
        ),
        Row(
            "@Stream of bytes",
            "@GET(\"/a\") @Stream func a() async throws -> StreamingBody",
            "try await self.caller.stream(of: .a).body"
        ),
        Row(
            "@Stream with its head",
            "@GET(\"/a\") @Stream func a() async throws -> StreamingResponse",
            "try await self.caller.stream(of: .a)"
        ),
        Row(
            "@WebSocket, whose request is a GET with a query",
            "@WebSocket(\"/a/{b}\") func a(b: Int, c: String) async throws(MoyaError) -> WebSocket",
            "case .a(let b, _):\nreturn \"/a/\\(MoyaGenerated.PathValue.escape(b))\"",
            "func a(b: Int, c: String) async throws(MoyaGenerated.MoyaError) -> WebSocket {\n"
                + "try await self.provider.webSocket(.a(b: b, c: c))",
            "var a: (@Sendable (_ b: Int, _ c: String) async throws(MoyaGenerated.MoyaError) -> WebSocket)?"
        ),
        Row(
            "@WebSocket that reconnects",
            "@WebSocket(\"/a\") func a() async throws -> Moya.ReconnectingWebSocket",
            "func a() async throws -> Moya.ReconnectingWebSocket {\nself.provider.reconnectingWebSocket(.a)"
        ),
        Row(
            "@WebSocket with options",
            "@WebSocket(\"/a\", options: .chat) func a(b: Int) async throws -> WebSocket",
            "try await self.provider.webSocket(.a(b: b), options: .chat)"
        ),
        Row(
            "@WebSocket with options, for a URL",
            "@WebSocket(options: .chat) func a(b: RequestURL<URL>) async throws -> WebSocket",
            "try await self.provider.webSocket(.a(b: b), options: .chat)"
        ),
        Row(
            "@WebSocket that reconnects, with options",
            "@WebSocket(\"/a\", options: .chat, reconnection: ReconnectionPolicy(maximumFailures: 3))\n"
                + "func a() async throws -> ReconnectingWebSocket",
            "self.provider.reconnectingWebSocket(.a, options: .chat, reconnection: ReconnectionPolicy(maximumFailures: 3))"
        ),
    ]
}

extension String {
    /// Whether the expansion contains these consecutive lines, regardless of indentation.
    func hasLines(_ piece: String) -> Bool {
        func bare(_ text: String) -> String {
            text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
                .joined(separator: "\n")
        }
        return bare(self).contains(bare(piece))
    }
}
#endif
