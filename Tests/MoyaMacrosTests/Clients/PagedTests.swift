#if Macros
import MoyaMacros
import MoyaTesting
import Testing

@Suite("A method with @Paged returns a list in pages")
struct PagedTests {
    @Test("the client requests the pages of the list")
    func client() async throws {
        let transport = ScriptedTransport()
            .on(
                .get,
                "https://shop.example/v1/pages/a%20b",
                .json(["items": [["name": "x", "unitPrice": 1]]])
                    .header("Link", "</v1/pages/a%20b/2>; rel=next")
            )
            .on(.get, "https://shop.example/v1/pages/a%20b/2", .json(["items": [["name": "y", "unitPrice": 2]]]))
        let client = ShopClient(session: Session(transport: transport))
        let list = try await client.pages(of: "a b")
        #expect(transport.requests.isEmpty)
        var names: [String] = []
        for try await item in list { names.append(item.name) }
        #expect(names == ["x", "y"])
        try transport.finish()
    }

    @Test("a stub is a page with the sample, and a mock returns given pages")
    func stub() async throws {
        let stubbed = ShopClient(provider: MoyaProvider(stubClosure: MoyaProvider.immediatelyStub))
        var items: [Item] = []
        for try await item in try await stubbed.pages(of: "a") { items.append(item) }
        #expect(items == [Item.sample])
        let mock = ShopMock { handlers in handlers.pages = { _ in PagedSequence(pages: [[.sample], [.sample]]) } }
        items = []
        for try await item in try await mock.pages(of: "a") { items.append(item) }
        #expect(items.count == 2)
    }
}
#endif
