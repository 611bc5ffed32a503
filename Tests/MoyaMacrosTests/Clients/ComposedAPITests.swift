#if Macros
import MoyaMacros
import MoyaTesting
import Testing

@API("https://parts.example/v1", isPart: true)
protocol Accounts: Sendable {
    @GET("/accounts/{name}") @Bearer func account(name: String, page: Int?) async throws -> String
    @GET("/accounts/{name}/sum") func sum(of name: String) async throws(MoyaError) -> Int
}

@API("https://parts.example/v2", isPart: true)
protocol Invoices {
    @POST("/invoices") @Default("currency", "EUR") func create(amount: Int, currency: String) async throws
    @GET("/news") @Stream func news() async throws -> DecodedLines<Int>
}

/// Both APIs.
@API protocol Billing: Accounts, Invoices, Sendable {}

@Suite("A protocol composes several APIs")
struct ComposedAPITests {
    @Test("a client sends the requests of its parts to their servers, with one session and the same plugins")
    func client() async throws {
        let transport = ScriptedTransport()
            .on(.get, "https://parts.example/v1/accounts/a", .text("A"))
            .on(.get, "https://parts.example/v1/accounts/a/sum", .json(5))
            .on(.post, "https://parts.example/v2/invoices", .status(201))
            .on(.get, "https://parts.example/v2/news", .text("1\n2\n"))
        let client: any Billing = BillingClient(
            session: Session(transport: transport),
            plugins: [AccessTokenPlugin { _ in "token" }]
        )
        #expect(try await client.account(name: "a") == "A")
        #expect(try await client.account(name: "a", page: 2) == "A")
        #expect(try await client.sum(of: "a") == 5)
        try await client.create(amount: 3)
        var news: [Int] = []
        for try await number in try await client.news() { news.append(number) }
        #expect(news == [1, 2])
        try transport.requests.expect(
            inOrder: .get("/v1/accounts/a").header("Authorization", "Bearer token"),
            .get("/v1/accounts/a").query("page", "2"),
            .get("/v1/accounts/a/sum"),
            .post("/v2/invoices").json(exactly: ["amount": 3, "currency": "EUR"]),
            .get("/v2/news")
        )
    }

    @Test("all parts use another server, or clients of their own")
    func servers() async throws {
        let transport = ScriptedTransport()
            .on(.get, "https://staging.example/accounts/a", .text("A"))
            .on(.post, "https://staging.example/invoices", .status(201))
        let client = BillingClient(
            baseURL: URL(string: "https://staging.example"),
            session: Session(transport: transport)
        )
        _ = try await client.account(name: "a")
        try await client.create(amount: 1, currency: "USD")
        #expect(client.accountsPart.provider.session === client.invoicesPart.provider.session)
        let stubbed = BillingClient(
            accountsPart: AccountsClient(provider: MoyaProvider(stubClosure: MoyaProvider.immediatelyStub)),
            invoicesPart: InvoicesClient(session: Session(transport: transport))
        )
        #expect(try await stubbed.account(name: "a") == "")
    }

    @Test("a mock has the mocks of its parts")
    func mock() async throws {
        let mock = BillingMock()
        mock.accountsPart.handlers.account = { name, page in "\(name) \(page ?? 0)" }
        #expect(try await mock.account(name: "m") == "m 0")
        #expect(mock.accountsPart.calls == [.account(name: "m", page: nil)])
        await #expect(throws: MoyaError.self) { try await mock.create(amount: 1) }
        #expect(mock.invoicesPart.calls == [.create(amount: 1, currency: "EUR")])
    }
}
#endif
