#if Macros
import MoyaMacros
import Testing

@Suite("A mock has handlers for its methods")
struct MockTests {
    @Test("the handler of a mock's method determines the result, and the calls are recorded")
    func handlers() async throws {
        let mock = ShopMock { handlers in
            handlers.item = { name in Item(name: name, unitPrice: 1) }
            handlers.maybe = { nil }
        }
        let shop: any Shop = mock
        #expect(try await shop.item("a").name == "a")
        #expect(try await shop.maybe() == nil)
        #expect(mock.calls.map(\.path) == ["/items/a", "/maybe"])
        guard case .item("a")? = mock.calls.first else {
            Issue.record("\(mock.calls)")
            return
        }
    }

    @Test("a mock's method without a handler throws an error that names the method")
    func unanswered() async throws {
        let mock = ShopMock()
        let error = await #expect(throws: MoyaError.self) { try await mock.item("a") }
        guard case .underlying(let cause as UnhandledCall, nil)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause == UnhandledCall(method: "item"))
        #expect(
            cause.localizedDescription
                == "The mock has no handler for item: set one, as in `mock.handlers.item = { … }`."
        )
        #expect(mock.calls.count == 1)
    }

    @Test("a mock's handler can be set later, and may throw")
    func later() async throws {
        let mock = ShopMock()
        mock.handlers.update = { _, _, _ async throws(MoyaError) in throw .requestMapping("x") }
        let error = await #expect(throws: MoyaError.self) { try await mock.update("a", unitPrice: nil, tags: []) }
        guard case .requestMapping("x")? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a mock's handler can return a stream")
    func streams() async throws {
        let events = [
            ServerSentEvent(id: "1", data: "a\nb"), ServerSentEvent(event: "ping", data: ""),
            ServerSentEvent(id: "3", event: "x", data: " c"),
        ]
        let mock = ShopMock { handlers in
            handlers.news = { ServerSentEvents(events) }
            handlers.log = { StreamingResponse(Response(statusCode: 200, data: Data("a\nb".utf8))).lines }
        }
        for _ in 0..<2 {
            var seen: [ServerSentEvent] = []
            for try await event in try await mock.news() { seen.append(event) }
            #expect(seen == events)
        }
        var lines: [String] = []
        for try await line in try await mock.log() { lines.append(line) }
        #expect(lines == ["a", "b"])
    }

    @Test("concurrent calls of a mock are recorded")
    func concurrent() async throws {
        let mock = ShopMock { $0.item = { Item(name: $0, unitPrice: 1) } }
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<200 { group.addTask { try await mock.item("\(number)").name } }
            var names: Set<String> = []
            for try await name in group { names.insert(name) }
            #expect(names.count == 200)
        }
        #expect(mock.calls.count == 200)
    }
}
#endif
