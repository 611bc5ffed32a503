#if Macros
import MoyaMacros
import Testing

@Suite("A client can be stubbed")
struct StubTests {
    private let client = ShopClient(provider: MoyaProvider(stubClosure: MoyaProvider.immediatelyStub))

    @Test("a client's stub returns the sample of the result's type, even in a list or under a key path")
    func ownSamples() async throws {
        #expect(try await client.item("x") == .sample)
        #expect(try await client.part(of: "x", number: 1) == .sample)
        #expect(try await client.range(first: "a", last: Named(description: "b")) == [.sample])
        #expect(try await client.search(orders: [], maxPrice: nil, since: nil, order: nil) == [.sample])
        #expect(
            String(
                decoding: ShopAPI.search(orders: [], maxPrice: nil, since: nil, order: nil).sampleData,
                as: UTF8.self
            )
            .hasPrefix(#"{"found":{"items":[{"#)
        )
    }

    @Test("a custom sample may be a text, a value or a function of the parameters")
    func ownSample() async throws {
        #expect(try await client.sorted(order: .byName).isEmpty)
        #expect(try await client.text() == "hello")
        #expect(
            try JSONDecoder().decode(Item.self, from: try await client.data()) == Item(name: "made", unitPrice: 2)
        )
        #expect(try await client.named(name: "n", price: 3) == Item(name: "n", unitPrice: 3))
        let response = try await client.response()
        #expect(try response.map(Item.self) == .sample)
        #expect(response.request?.headers["X-Shop"] == "1")
    }

    @Test("a client's stub without a sample returns nil, Void or an empty text")
    func nothing() async throws {
        #expect(try await client.maybe() == nil)
        try await client.update("x", unitPrice: 1, tags: [])
        let text = try await client.put(raw: Data(), name: "n", tag: nil, order: .byName)
        #expect(text.isEmpty)
    }

    @Test("an empty body and the JSON value null become nil in a stubbed client", arguments: ["", "null"])
    func null(body: String) async throws {
        let provider = MoyaProvider<ShopAPI>(
            endpointClosure: { target in
                Endpoint(
                    url: URL(target: target).absoluteString,
                    sampleResponseClosure: { .networkResponse(200, Data(body.utf8)) },
                    method: target.method,
                    task: target.task
                )
            },
            stubClosure: MoyaProvider.immediatelyStub
        )
        #expect(try await ShopClient(provider: provider).part(of: "x", number: 1) == nil)
    }

    @Test("the sample of a client's stream is the stream's body")
    func stream() async throws {
        var lines: [String] = []
        for try await line in try await client.log() { lines.append(line) }
        #expect(lines == ["a", "b"])
    }

    @Test("a client with any provider passes the declared targets to its plugins")
    func plugins() async throws {
        struct Refusing: PluginType {
            func process(
                _ result: Result<Response, MoyaError>,
                target: any TargetType
            ) -> Result<Response, MoyaError> {
                guard case .item(let name)? = target as? ShopAPI else { return result }
                return .failure(.underlying(UnhandledCall(method: name), nil))
            }
        }
        let provider = MoyaProvider<ShopAPI>(stubClosure: MoyaProvider.immediatelyStub, plugins: [Refusing()])
        let client = ShopClient(provider: provider)
        let error = await #expect(throws: MoyaError.self) { try await client.item("moya") }
        guard case .underlying(let cause as UnhandledCall, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.method == "moya")
        #expect(try await client.text() == "hello")
    }

    @Test("a client's sample that does not decode causes .objectMapping with the response")
    func undecodable() async throws {
        let provider = MoyaProvider<ShopAPI>(
            endpointClosure: { target in
                Endpoint(
                    url: URL(target: target).absoluteString,
                    sampleResponseClosure: { .networkResponse(200, Data("{}".utf8)) },
                    method: target.method,
                    task: target.task
                )
            },
            stubClosure: MoyaProvider.immediatelyStub
        )
        let error = await #expect(throws: MoyaError.self) { try await ShopClient(provider: provider).item("x") }
        guard case .objectMapping(_, let response)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response.data == Data("{}".utf8))
    }

    @Test("a client refuses an unsuccessful stubbed status unless the method accepts it")
    func refused() async throws {
        let provider = MoyaProvider<ShopAPI>(
            endpointClosure: { target in
                Endpoint(
                    url: URL(target: target).absoluteString,
                    sampleResponseClosure: { .networkResponse(404, Data("gone".utf8)) },
                    method: target.method,
                    task: target.task
                )
            },
            stubClosure: MoyaProvider.immediatelyStub
        )
        let client = ShopClient(provider: provider)
        #expect(try await client.text() == "gone")
        let error = await #expect(throws: MoyaError.self) { try await client.item("x") }
        #expect(error?.response?.statusCode == 404)
    }

    @Test("a stubbed client uses its decoder and encoder")
    func coders() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let endpoints = MoyaProvider<ShopAPI>.endpoints(at: nil, encoder: encoder)
        let add = ShopAPI.add(item: Item(name: "a", unitPrice: 1), dryRun: true, xRequestID: "1")
        let body = try #require(try endpoints(add).urlRequest().httpBody)
        #expect(String(decoding: body, as: UTF8.self).contains("unit_price"))
        let provider = MoyaProvider<ShopAPI>(
            endpointClosure: { target in
                Endpoint(
                    url: URL(target: target).absoluteString,
                    sampleResponseClosure: { .networkResponse(200, Data(#"{"name":"x","unit_price":4}"#.utf8)) },
                    method: target.method,
                    task: target.task
                )
            },
            stubClosure: MoyaProvider.immediatelyStub
        )
        #expect(
            try await ShopClient(provider: provider, decoder: decoder).item("x") == Item(name: "x", unitPrice: 4)
        )
    }
}
#endif
