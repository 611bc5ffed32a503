#if Macros
    import Testing

    @Suite("What each attribute, and each mark, does to the code that is made")
    struct AttributeExpansionTests {
        struct Row: Sendable, CustomTestStringConvertible {
            var rule: String
            var members: String
            /// What must stand in the expansion, in lines; how far they are indented makes no difference.
            var pieces: [String]

            init(_ rule: String, _ members: String, _ pieces: String...) {
                (self.rule, self.members, self.pieces) = (rule, members, pieces)
            }

            var testDescription: String { rule }
        }

        @Test("Methods, paths and queries", arguments: Self.routes)
        func route(row: Row) { check(row) }

        @Test("Bodies", arguments: Self.bodies)
        func body(row: Row) { check(row) }

        @Test("Headers and authorization", arguments: Self.headers)
        func header(row: Row) { check(row) }

        @Test("Answers", arguments: Self.answers)
        func answer(row: Row) { check(row) }

        @Test("What holds for all of an API is said at the protocol, and a method may say otherwise")
        func common() {
            let expanded = Expansion.expanded(
                """
                @available(macOS 15, *)
                @API(Servers.shop, keys: .snakeCase)
                @Headers(["Accept": "application/json", "X-A": "1"]) @Bearer @Validation(.none) @ErrorBody(Problem.self)
                @URLStyle(arrayEncoding: .noBrackets)
                public protocol Shop: Sendable {
                    /// All of them.
                    @GET("/items") func items(byName: [String]) async throws -> [Item]
                    @POST("/items") @Authorization(nil) @Headers(["accept": "*/*"]) func add(itemName: String) async throws
                }
                """
            )
            for piece in [
                "@available(macOS 15, *)\n/// What can be asked of ``Shop``: a case for each of its methods.\n"
                    + "public enum ShopAPI: TargetType, AccessTokenAuthorizable {",
                "@available(macOS 15, *)\n/// Asks a server what ``Shop`` says.\npublic struct ShopClient: Shop, APIClient {",
                "/// All of them.\ncase items(byName: [String])",
                "public var baseURL: URL { Servers.shop }",
                """
                .requestParameters(
                parameters: ["by_name": byName],
                encoding: URLEncoding(destination: .queryString, arrayEncoding: .noBrackets)
                )
                """,
                "case .items:\n[\"Accept\": \"application/json\", \"X-A\": \"1\"]",
                "case .add:\n[\"X-A\": \"1\", \"accept\": \"*/*\"]",
                "case .items:\n.bearer\ncase .add:\nnil",
                "public var validationType: ValidationType { .none }",
                "case itemName = \"item_name\"",
                "try await self.caller.send(to: .add(itemName: itemName), orThrow: Problem.self)",
                "public init(caller: APICaller<ShopAPI>) { self.caller = caller }",
                "public final class ShopMock: Shop, Sendable {",
                "public var items: (@Sendable (_ byName: [String]) async throws -> [Item])?",
            ] {
                #expect(expanded.hasLines(piece), "\(piece)\n--- is not in ---\n\(expanded)")
            }
        }

        @Test("Access follows the protocol's", arguments: ["public", "package", "fileprivate", "private"])
        func access(level: String) {
            let expanded = Expansion.expanded(
                "@API(\"https://a.example\")\n\(level) protocol Shop {\n@GET(\"/a\") func a() async throws\n}"
            )
            let member = ["public", "package"].contains(level) ? level + " " : ""
            #expect(expanded.hasLines("\(level) enum ShopAPI: TargetType {"))
            #expect(expanded.hasLines("\(level) struct ShopClient: Shop, APIClient {"))
            #expect(expanded.hasLines("\(level) final class ShopMock: Shop, Sendable {"))
            #expect(expanded.hasLines("\(member)var isPathEscaped: Bool { true }"))
            #expect(expanded.hasLines("\(member)func a() async throws {"))
        }

        private func check(_ row: Row) {
            let expanded = Expansion.expanded("@API(\"https://a.example\")\nprotocol Shop {\n\(row.members)\n}")
            for piece in row.pieces {
                #expect(expanded.hasLines(piece), "\(piece)\n--- is not in ---\n\(expanded)")
            }
        }

        static let routes = [
            Row(
                "@GET",
                "@GET(\"/a\") func a() async throws",
                "var method: Moya.Method { .get }",
                "var path: String { \"/a\" }"
            ),
            Row("@POST", "@POST(\"/a\") func a() async throws", "var method: Moya.Method { .post }"),
            Row("@PUT", "@PUT(\"/a\") func a() async throws", "var method: Moya.Method { .put }"),
            Row("@PATCH", "@PATCH(\"/a\") func a() async throws", "var method: Moya.Method { .patch }"),
            Row("@DELETE", "@DELETE(\"/a\") func a() async throws", "var method: Moya.Method { .delete }"),
            Row("@HEAD", "@HEAD(\"/a\") func a() async throws", "var method: Moya.Method { .head }"),
            Row("@OPTIONS", "@OPTIONS(\"/a\") func a() async throws", "var method: Moya.Method { .options }"),
            Row(
                "@HTTP",
                "@HTTP(\"PURGE\", \"/a\") func a() async throws",
                "var method: Moya.Method { Moya.Method(rawValue: \"PURGE\") }"
            ),
            Row("No path is the base URL", "@GET(\"\") func a() async throws", "var path: String { \"\" }"),
            Row(
                "A module's name in front of an attribute",
                "@MoyaMacros.GET(\"/a\") func a(b: MoyaMacros.Query<Int>) async throws",
                "case a(b: Int)"
            ),
            Row(
                "A text in the path is escaped and looked at",
                "@GET(\"/users/{name}/x\") func user(of name: String) async throws",
                "case user(of: String)",
                "case .user(let name):\n\"/users/\\(PathValue.escape(name))/x\"",
                "case .user(let name):\n.requestPlain.checkingPath(\"name\", name)",
                "try await self.caller.send(to: .user(of: name))"
            ),
            Row(
                "A number needs neither",
                "@GET(\"/users/{id}\") func user(_ id: Int) async throws",
                "case user(Int)",
                "case .user(let id):\n\"/users/\\(id)\"",
                "var task: HTTPTask { .requestPlain }",
                "try await self.caller.send(to: .user(id))"
            ),
            Row(
                "GET, HEAD and DELETE have their other parameters in the query",
                "@DELETE(\"/a\") func a(b: Int, c: String?) async throws",
                ".requestParameters(parameters: [\"b\": b, \"c\": c], encoding: URLEncoding.queryString)"
            ),
            Row(
                "Types of one's own are asked for their raw values",
                "@GET(\"/a\") func a(b: Order) async throws",
                ".requestParameters(parameters: [\"b\": WireValue.of(b)], encoding: URLEncoding.queryString)"
            ),
            Row(
                "A query in the template",
                "@GET(\"/a?type=x%20y&per_page={perPage}&c=\") func a(perPage: Int) async throws",
                "[\"type\": \"x y\", \"per_page\": perPage, \"c\": \"\"]"
            ),
            Row(
                "A query besides a body",
                "@POST(\"/a?d=1\") func a(b: Body<Item>, c: Query<Bool>) async throws",
                ".requestJSONEncodable(b).adding(query: [\"d\": \"1\", \"c\": c])"
            ),
            Row(
                "@URLStyle",
                "@GET(\"/a\") @URLStyle(boolEncoding: .literal) func a(b: Bool) async throws",
                "encoding: URLEncoding(destination: .queryString, boolEncoding: .literal)"
            ),
            Row(
                "@Names",
                "@GET(\"/a\") @Names([\"b\": \"b[0]\"]) func a(b: Int) async throws",
                "[\"b[0]\": b]"
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
                ".requestJSONEncodable(ABody(b: b, c: c))",
                "private struct ABody: Encodable {\nlet b: Int\nlet c: String?\n}"
            ),
            Row(
                "Body is the whole of it",
                "@PUT(\"/a\") func a(b: Body<[Item]>) async throws",
                ".requestJSONEncodable(b)"
            ),
            Row("Data as it is", "@PUT(\"/a\") func a(b: Body<Data>) async throws", ".requestData(b)"),
            Row("A file", "@PUT(\"/a\") func a(b: Body<URL>) async throws", ".uploadFile(b)"),
            Row("Any body", "@PUT(\"/a\") func a(b: Body<HTTPBody>) async throws", ".uploadBody(b)"),
            Row(
                "Or none",
                "@PUT(\"/a\") func a(b: Body<Item>?) async throws",
                "case a(b: Item?)",
                "(b.map { HTTPTask.requestJSONEncodable($0) } ?? .requestPlain)"
            ),
            Row("DELETE with a body", "@DELETE(\"/a\") func a(b: Body<Item>) async throws", ".requestJSONEncodable(b)"),
            Row(
                "@FormURLEncoded",
                "@POST(\"/a\") @FormURLEncoded func a(b: Int, c: Field<Bool>) async throws",
                ".requestParameters(parameters: [\"b\": b, \"c\": c], encoding: URLEncoding.httpBody)"
            ),
            Row(
                "@FormURLEncoded with a style",
                "@POST(\"/a\") @FormURLEncoded @URLStyle(boolEncoding: .literal) func a(c: Bool) async throws",
                "encoding: URLEncoding(destination: .httpBody, boolEncoding: .literal)"
            ),
            Row(
                "@Multipart",
                """
                @POST("/a") @Multipart
                func a(b: URL, c: Part<Data>, d: String, e: Int, f: MultipartFormBodyPart) async throws
                """,
                """
                .uploadMultipartFormData(MultipartFormData(parts: [
                MultipartFormBodyPart(provider: .file(b), name: "b"),
                MultipartFormBodyPart(provider: .data(c), name: "c"),
                MultipartFormBodyPart(provider: .data(Data(d.utf8)), name: "d"),
                MultipartFormBodyPart.value(e, name: "e"),
                f
                ]))
                """
            ),
            Row(
                "A part that may be missing",
                "@POST(\"/a\") @Multipart func a(b: String?) async throws",
                """
                MultipartFormData(parts: [
                b.map { MultipartFormBodyPart(provider: .data(Data($0.utf8)), name: "b") }
                ].compactMap { $0 })
                """
            ),
        ]

        static let headers = [
            Row("None", "@GET(\"/a\") func a() async throws", "var headers: [String: String]? { nil }"),
            Row(
                "@Headers",
                "@GET(\"/a\") @Headers([\"Accept\": \"text/plain\"]) func a() async throws",
                "var headers: [String: String]? { [\"Accept\": \"text/plain\"] }"
            ),
            Row(
                "@Headers with a parameter",
                "@GET(\"/a\") @Headers([\"X-A\": \"v{b}\", \"X-C\": \"{c}\"]) func a(b: Int, c: String) async throws",
                "[\"X-A\": \"v\\(b)\", \"X-C\": c]"
            ),
            Row(
                "Header",
                "@GET(\"/a\") func a(xRequestID: Header<String>, eTag: Query<Int>) async throws",
                "[\"X-Request-ID\": xRequestID]"
            ),
            Row(
                "Header that may be missing",
                "@GET(\"/a\") func a(ifNoneMatch: Header<String?>) async throws",
                "WireValue.headers([\"If-None-Match\": ifNoneMatch])"
            ),
            Row(
                "@Bearer",
                "@GET(\"/a\") @Bearer func a() async throws",
                "var authorizationType: AuthorizationType? { .bearer }"
            ),
            Row(
                "@Basic",
                "@GET(\"/a\") @Basic func a() async throws",
                "var authorizationType: AuthorizationType? { .basic }"
            ),
            Row(
                "@Authorization",
                "@GET(\"/a\") @Authorization(.custom(\"token\")) func a() async throws",
                "var authorizationType: AuthorizationType? { .custom(\"token\") }"
            ),
        ]

        static let answers = [
            Row(
                "A value",
                "@GET(\"/a\") func a() async throws -> Item",
                "try await self.caller.value(of: .a)",
                "var sampleData: Data { SampleData.of(Item.self) }"
            ),
            Row(
                "A value, or none",
                "@GET(\"/a\") func a() async throws -> Item?",
                "func a() async throws -> Item? {\ntry await self.caller.valueIfPresent(of: .a)",
                "var sampleData: Data { SampleData.of(Item.self) }"
            ),
            Row(
                "An error of ours",
                "@GET(\"/a\") func a() async throws(MoyaError) -> Item",
                "func a() async throws(MoyaError) -> Item {",
                "var a: (@Sendable () async throws(MoyaError) -> Item)?"
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
                "SampleData.of([Item].self, at: \"b.c\")"
            ),
            Row(
                "@Validation",
                "@GET(\"/a\") @Validation(.customCodes([200, 404])) func a() async throws",
                "var validationType: ValidationType { .customCodes([200, 404]) }"
            ),
            Row(
                "@ErrorBody",
                "@GET(\"/a\") @ErrorBody(Problem.self) func a() async throws -> Item",
                "try await self.caller.value(of: .a, orThrow: Problem.self)"
            ),
            Row(
                "@Sample with a text",
                "@GET(\"/a\") @Sample(#\"{\"b\": 1}\"#) func a() async throws -> Item",
                "var sampleData: Data { Data(#\"{\"b\": 1}\"#.utf8) }"
            ),
            Row(
                "@Sample with a value",
                "@GET(\"/a\") @Sample(Item(b: 1)) func a() async throws -> Item",
                "var sampleData: Data { SampleData.of(Item(b: 1)) }"
            ),
            Row(
                "@Sample with a function",
                "@GET(\"/a/{b}\") @Sample({ (b: Int) in Item(b: b) }) func a(b: Int) async throws -> Item",
                "case .a(let b):\nSampleData.of(({ (b: Int) in Item(b: b) })(b))"
            ),
            Row(
                "@Download to where a function says",
                "@GET(\"/a\") @Download func a(b: Int, to: @escaping DownloadDestination) async throws",
                "case a(b: Int, to: DownloadDestination)",
                ".downloadDestination(to).adding(query: [\"b\": b])",
                "func a(b: Int, to: @escaping DownloadDestination) async throws {"
            ),
            Row(
                "@Download to a file",
                "@GET(\"/a\") @Download func a(file: URL) async throws -> Response",
                ".download(to: file)"
            ),
            Row(
                "@Stream of events, over as many connections as it takes",
                "@GET(\"/a\") @Stream func a() async throws -> ServerSentEvents",
                "func a() async throws -> ServerSentEvents {\nself.provider.events(.a)"
            ),
            Row(
                "@Stream of one connection's events",
                "@POST(\"/a\") @Stream func a(b: String) async throws -> StreamingEvents",
                ".requestJSONEncodable(ABody(b: b))",
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
        ]
    }

    extension String {
        /// Whether these lines are in it, one after the other, however far they are indented.
        func hasLines(_ piece: String) -> Bool {
            func bare(_ text: String) -> String {
                text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
                    .joined(separator: "\n")
            }
            return bare(self).contains(bare(piece))
        }
    }
#endif
