#if Macros
import MoyaMacros
import MoyaTesting
import Testing

// This file has every line of the Swift blocks about further attributes in Documentation/Macros.md. The tests run them.

/// A namespace for the declarations, which the document does not have.
enum ClientDocument {
    struct Item: Codable { var name: String }
    struct ItemPage: Codable {
        var items: [Item]
        var next: URL?
    }
    struct Order: Codable { var items: [String] }
    struct Delta: Codable { var text: String }
    struct Conflict: Codable, Error { var version: Int }
    struct Problem: Codable, Error { var title: String }

    @StatusResult
    enum SaveResult {
        @Status(200) case updated(Item)
        @Status(201) case created(TypedResponse<Item>)
        @Status(304) case unchanged
        @Status(409, 412) case conflict(Conflict)
    }

    @API("https://shop.example.com/v1") @ErrorBody(Problem.self)
    protocol Shop {
        @GET("/search") @Retry(RetryPolicy(retryLimit: 5))
        func search(text: String, filters: QueryMap<[String: String]>) async throws -> TypedResponse<ItemPage>
        @GET func page(at link: RequestURL<URL>) async throws -> ItemPage
        @QUERY("/search") func find(names: [String]) async throws -> [Item]
        @POST("/orders") @Idempotent @ErrorBody(Conflict.self, for: 409)
        func order(_ order: Body<Order>) async throws
        @PUT("/items/{name}") @ByStatus func save(name: String, item: Body<Item>) async throws -> SaveResult
        @POST("/chat") @Stream(until: "[DONE]") func chat(prompt: String) async throws -> DecodedEvents<Delta>
        @GET("/export") @Stream func export() async throws -> DecodedLines<Item>
    }

    struct Invoice: Codable { var total: Int }

    struct PropertyListBody: RequestEncoder {
        let contentType = "application/x-plist"

        func encode(_ value: some Encodable) throws -> Data { try PropertyListEncoder().encode(value) }
    }

    @API("https://billing.example.com")
    protocol Billing {
        @PUT("/invoices/{id}") @Coders(encoder: PropertyListBody(), decoder: PropertyListDecoder())
        func update(id: Int, invoice: Body<Invoice>) async throws -> Invoice
        @GET("/invoices/{id}") @JSON(decoder: .github) func invoice(id: Int) async throws -> Invoice
    }
}

struct Member: Codable { var name: String }
struct Team: Codable { var name: String }

@API("https://api.example.com", isPart: true)
protocol Members {
    @GET("/members/{name}") func member(name: String) async throws -> Member
}

@API("https://api.example.com", isPart: true)
protocol Teams {
    @GET("/teams/{name}") func team(name: String) async throws -> Team
}

@API protocol Directory: Members, Teams {}

@Suite("The documentation's examples of further attributes run")
struct ReadmeClientTests {
    typealias Item = ClientDocument.Item
    typealias Order = ClientDocument.Order
    typealias Conflict = ClientDocument.Conflict
    typealias Problem = ClientDocument.Problem

    /// The transport of the clients that the document creates.
    @TaskLocal private static var transport: (any HTTPTransport)?

    private static var session: Session { Session(transport: transport ?? ScriptedTransport()) }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    private func ShopClient() -> ClientDocument.ShopClient { ClientDocument.ShopClient(session: Self.session) }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    private func DirectoryClient(plugins: [any PluginType]) -> MoyaMacrosTests.DirectoryClient {
        MoyaMacrosTests.DirectoryClient(session: Self.session, plugins: plugins)
    }

    @Test("the documentation's example of maps and links runs")
    func maps() async throws {
        let transport = ScriptedTransport()
            .on(
                .get,
                "/v1/search",
                .json(["items": [], "next": "https://shop.example.com/v1/search/2"]).header("ETag", "\"1\"")
            )
            .on(.get, "/v1/search/2", .json(["items": [["name": "Lamp"]]]))
        try await Self.$transport.withValue(transport) {
            let shop = ShopClient()
            let found = try await shop.search(text: "lamp", filters: ["color": "red", "size": "s"])
            if let next = found.value.next {
                let page = try await shop.page(at: next)
                print(page.items.map(\.name), found.headers["ETag"] ?? "")
            }
        }
        #expect(transport.requests.map { $0.url.query } == ["color=red&size=s&text=lamp", nil])
    }

    @Test("the documentation's example of results by status and errors runs", arguments: [200, 201, 304, 409])
    func results(status: Int) async throws {
        let body: ScriptedResponse =
            switch status {
            case 409: .json(["version": 7], status: 409)
            case 304: .status(304)
            default: .json(["name": "Lamp"], status: status)
            }
        let transport = ScriptedTransport()
            .on(.put, "/v1/items/lamp", body)
            .on(.post, "/v1/orders", .json(["version": 8], status: 409), .json(["title": "t"], status: 400))
            .on(.query, "/v1/search", .json([["name": "Lamp"]]))
        try await Self.$transport.withValue(transport) {
            let shop = ShopClient()
            switch try await shop.save(name: "lamp", item: Item(name: "Lamp")) {
            case .updated(let item): print("updated", item.name)
            case .created(let created): print("created at", created.headers["Location"] ?? "")
            case .unchanged: print("unchanged")
            case .conflict(let conflict): print("the server has version", conflict.version)
            }
            for _ in 1...2 {
                do {
                    try await shop.order(Order(items: ["lamp"]))
                } catch MoyaError.underlying(let conflict as Conflict, _) {
                    print("409:", conflict.version)
                } catch MoyaError.underlying(let problem as Problem, _) {
                    print(problem.title)
                }
            }
            #expect(try await shop.find(names: ["Lamp"]).map(\.name) == ["Lamp"])
        }
    }

    @Test("the documentation's example of decoded streams runs")
    func streams() async throws {
        let transport = ScriptedTransport()
            .on(.post, "/v1/chat", .text("data: {\"text\":\"a\"}\n\ndata: [DONE]\n\n", type: "text/event-stream"))
            .on(.get, "/v1/export", .text("{\"name\":\"Lamp\"}\n{\"name\":\"Chair\"}\n"))
        try await Self.$transport.withValue(transport) {
            let shop = ShopClient()
            for try await delta in try await shop.chat(prompt: "Hello") { print(delta.text, terminator: "") }
            for try await item in try await shop.export() where item.name.hasPrefix("L") { print(item.name) }
        }
        #expect(transport.requests.count == 2)
    }

    @Test("the documentation's example of a composed API runs")
    func composition() async throws {
        let transport = ScriptedTransport()
            .on(.get, "/members/Ada", .json(["name": "Ada"]))
            .on(.get, "/teams/Core", .json(["name": "Core"]))
        try await Self.$transport.withValue(transport) {
            let directory = DirectoryClient(plugins: [NetworkLoggerPlugin.default])
            print(try await directory.member(name: "Ada").name, try await directory.team(name: "Core").name)
        }
        #expect(transport.requests.count == 2)
        let directoryMock = DirectoryMock()
        directoryMock.membersPart.handlers.member = { Member(name: $0) }
        #expect(try await directoryMock.member(name: "Ada").name == "Ada")
    }

    @Test("the documentation's example of a method's coders runs")
    func coders() async throws {
        let list = try ClientDocument.PropertyListBody().encode(ClientDocument.Invoice(total: 5))
        let transport = ScriptedTransport()
            .on(.put, "/invoices/1", .data(list))
            .on(.get, "/invoices/1", .json(["total": 6]))
        let client = ClientDocument.BillingClient(session: Session(transport: transport))
        #expect(try await client.update(id: 1, invoice: .init(total: 5)).total == 5)
        #expect(try await client.invoice(id: 1).total == 6)
        try transport.requests.expect(.put("/invoices/1").header("Content-Type", "application/x-plist").body(list))
    }
}
#endif
