#if Macros
import MoyaMacros
import Testing

/// Methods that share a name, a route, or both.
@API("https://overloads.example")
protocol Overloads: Sendable {
    @POST("/graphql") @KeyPath("data.item") func item(query: String) async throws -> Item
    @POST("/graphql") @KeyPath("data.items") func items(query: String) async throws -> [Item]
    @GET("/users/{id}") func user(id: Int) async throws -> Item
    @GET("/users/{id}") func user(id: String) async throws -> Item
    @GET("/users/{name}") func user(named name: String) async throws -> Item
    @GET("/report") func report(year: Int) async throws -> Item
    @GET("/report") func report(year: Int) async throws -> Response
}

@Suite("Methods of an API can have the same name or route")
struct OverloadTests {
    /// Returns a client whose responses are stubs that a function creates for the target.
    private func client(_ answer: @escaping @Sendable (OverloadsAPI) -> String) -> OverloadsClient {
        let provider = MoyaProvider<OverloadsAPI>(
            endpointClosure: { target in
                Endpoint(
                    url: URL(target: target).absoluteString,
                    sampleResponseClosure: { .networkResponse(200, Data(answer(target).utf8)) },
                    method: target.method,
                    task: target.task
                )
            },
            stubClosure: MoyaProvider.immediatelyStub
        )
        return OverloadsClient(provider: provider)
    }

    @Test("one route of an API may have several methods with different results")
    func routes() async throws {
        let client = client { target in
            switch target {
            case .item: #"{"data":{"item":{"name":"one","unitPrice":1}}}"#
            default: #"{"data":{"items":[{"name":"many","unitPrice":2}]}}"#
            }
        }
        #expect(OverloadsAPI.item(query: "q").path == OverloadsAPI.items(query: "q").path)
        #expect(OverloadsAPI.item(query: "q").method == OverloadsAPI.items(query: "q").method)
        #expect(try await client.item(query: "q").name == "one")
        #expect(try await client.items(query: "q").map(\.name) == ["many"])
    }

    @Test("overloads of an API's method may differ by labels, types and results")
    func overloads() async throws {
        let client = client { target in
            let name =
                switch target {
                case .userIdInt(let id): "number \(id)"
                case .userIdString(let id): "text \(id)"
                case .userNamed(let name): "name \(name)"
                case .reportYearReturningItem(let year): "item \(year)"
                case .reportYearReturningResponse(let year): "response \(year)"
                case .item, .items: ""
                }
            return #"{"name":"\#(name)","unitPrice":1}"#
        }
        #expect(try await client.user(id: 1).name == "number 1")
        #expect(try await client.user(id: "1").name == "text 1")
        #expect(try await client.user(named: "1").name == "name 1")
        let item: Item = try await client.report(year: 1)
        #expect(item.name == "item 1")
        let response: Response = try await client.report(year: 1)
        #expect(try response.mapString().contains("response 1"))
    }

    @Test("a mock has a handler and a list of calls for each overload, named like the overload's case")
    func mock() async throws {
        let mock = OverloadsMock { handlers in
            handlers.userIdInt = { Item(name: "number \($0)", unitPrice: 1) }
            handlers.userIdString = { Item(name: "text \($0)", unitPrice: 1) }
            handlers.reportYearReturningItem = { Item(name: "\($0)", unitPrice: 1) }
            handlers.items = { _ in [] }
        }
        let overloads: any Overloads = mock
        #expect(try await overloads.user(id: 1).name == "number 1")
        #expect(try await overloads.user(id: "1").name == "text 1")
        #expect(try await overloads.items(query: "q").isEmpty)
        let item: Item = try await overloads.report(year: 1)
        #expect(item.name == "1")
        for name in ["userNamed", "item", "reportYearReturningResponse"] {
            let error = await #expect(throws: MoyaError.self) {
                switch name {
                case "userNamed": _ = try await overloads.user(named: "1")
                case "item": _ = try await overloads.item(query: "q")
                default: _ = try await overloads.report(year: 1) as Response
                }
            }
            guard case .underlying(let cause as UnhandledCall, nil)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(cause.method == name)
        }
        let names = mock.calls.map { "\($0)".prefix { $0 != "(" } }
        #expect(
            names == [
                "userIdInt", "userIdString", "items", "reportYearReturningItem", "userNamed", "item",
                "reportYearReturningResponse",
            ]
        )
    }
}
#endif
