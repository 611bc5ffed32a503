#if Macros
import MoyaMacros
import TestServers
import Testing

/// Methods whose parameters can be omitted, and methods with timeouts.
@API("https://defaults.example") @Timeout(20)
protocol Defaults: Sendable {
    @GET("/search") @Default("perPage", 30) @Default("order", Order.byName)
    func search(_ text: String, page: Int?, perPage: Int, order: Order) async throws -> Response
    @POST("/search") func search(tag: String?) async throws(MoyaError) -> Response
    @POST("/search") func search() async throws -> Response
    @GET("/files") @Download @Default("file", URL(fileURLWithPath: "/tmp/file"))
    func file(to file: URL) async throws
    @GET("/neverResponds") @Timeout(0.3) func slow() async throws -> Response
    @GET("/usual") @Timeout(nil) func usual() async throws -> Response
}

/// A handwritten implementation, which must have every method.
private struct DefaultsByHand: Defaults {
    func search(_ text: String, page: Int?, perPage: Int, order: Order) async throws -> Response {
        Response(statusCode: 200, data: Data("\(text) \(page ?? 0) \(perPage) \(order)".utf8))
    }
    func search(tag: String?) async throws(MoyaError) -> Response {
        Response(statusCode: 200, data: Data("tag \(tag ?? "nil")".utf8))
    }
    func search() async throws -> Response { Response(statusCode: 200, data: Data("nothing".utf8)) }
    func file(to file: URL) async throws {}
    func slow() async throws -> Response { Response(statusCode: 200, data: Data()) }
    func usual() async throws -> Response { Response(statusCode: 200, data: Data()) }
}

@Suite("Parameters of an API can have default values")
struct DefaultTests {
    private let client = DefaultsClient(provider: MoyaProvider(stubClosure: MoyaProvider.immediatelyStub))

    private func url(_ response: Response) -> String? { response.request?.url?.absoluteString }

    @Test("default values of parameters apply to a call of the client")
    func ofClient() async throws {
        #expect(
            url(try await client.search("a")) == "https://defaults.example/search?order=by_name&perPage=30&text=a"
        )
        #expect(
            url(try await client.search("a", page: 2, order: .byPrice))
                == "https://defaults.example/search?order=by_price&page=2&perPage=30&text=a"
        )
        let all = try await client.search("a", page: 1, perPage: 2, order: .byPrice)
        #expect(url(all) == "https://defaults.example/search?order=by_price&page=1&perPage=2&text=a")
    }

    @Test("default values of parameters apply once to a call of any value of the protocol's type")
    func ofExistential() async throws {
        let mock = DefaultsMock { handlers in
            handlers.searchTextPagePerPageOrder = { text, page, perPage, order in
                Response(statusCode: 200, data: Data("\(text) \(page ?? 0) \(perPage) \(order)".utf8))
            }
            handlers.file = { file in #expect(file.path == "/tmp/file") }
        }
        let values: [any Defaults] = [mock, DefaultsByHand()]
        for value in values {
            #expect(try await value.search("a").mapString() == "a 0 30 byName")
            #expect(try await value.search("a", perPage: 1).mapString() == "a 0 1 byName")
            #expect(
                try await value.search("a", page: 1, perPage: 2, order: .byPrice).mapString() == "a 1 2 byPrice"
            )
            try await value.file()
        }
        #expect(mock.calls.count == 4)
        #expect(try await mock.search("b").mapString() == "b 0 30 byName")
        func generic(_ value: some Defaults) async throws -> String { try await value.search("c").mapString() }
        #expect(try await generic(DefaultsByHand()) == "c 0 30 byName")
    }

    @Test("default values do not hide an overload without the parameter")
    func overload() async throws {
        let value: any Defaults = DefaultsByHand()
        #expect(try await value.search().mapString() == "nothing")
        #expect(try await value.search(tag: nil).mapString() == "tag nil")
        #expect(try await client.search().request?.httpBody == nil)
    }
}

/// Methods with cache policies.
@API("https://cached.example") @Cache(.returnCacheDataElseLoad)
protocol Cached: Sendable {
    @GET("/old") func old() async throws -> Response
    @GET("/usual") @Cache(.useProtocolCachePolicy) func usual() async throws -> Response
}

@Suite("The attribute @Cache sets a cache policy")
struct CachePolicyTests {
    @Test("a request has the cache policy of its method or of the protocol")
    func values() throws {
        #expect(CachedAPI.old.cachePolicy == .returnCacheDataElseLoad)
        #expect(CachedAPI.usual.cachePolicy == .useProtocolCachePolicy)
        let endpoints = MoyaProvider<CachedAPI>.endpoints(at: URL(string: "http://other"))
        #expect(try endpoints(.old).urlRequest().cachePolicy == .returnCacheDataElseLoad)
        #expect(try endpoints(.usual).urlRequest().cachePolicy == .useProtocolCachePolicy)
    }

    @Test("the cache policy decides whether a client uses stored responses")
    func client() async throws {
        let server = try await StubServer([
            "/old": StubServer.Response(headers: ["ETag: \"1\""], body: Data("a".utf8)),
            "/usual": StubServer.Response(headers: ["ETag: \"1\""], body: Data("a".utf8)),
        ])
        let session = Session(configuration: .ephemeral, cache: .memory())
        let client = CachedClient(baseURL: server.url("/"), session: session)
        for _ in 0..<2 { _ = try await client.old() }
        // The response has no freshness lifetime.
        #expect(try await client.old().source == .stale)
        for _ in 0..<2 { _ = try await client.usual() }
        #expect(try await client.usual().source == .network)
    }
}

@Suite("The attribute @Timeout sets a timeout")
struct TimeoutTests {
    @Test("a request has the timeout of its method, of the protocol or of the session")
    func values() throws {
        #expect(DefaultsAPI.slow.timeoutInterval == 0.3)
        #expect(DefaultsAPI.search.timeoutInterval == 20)
        #expect(DefaultsAPI.usual.timeoutInterval == nil)
        #expect(ShopAPI.text.timeoutInterval == nil)
    }

    @Test("a request has the timeout of @Timeout, even for another server")
    func requests() throws {
        let endpoints = MoyaProvider<DefaultsAPI>.endpoints(at: URL(string: "http://other"))
        #expect(try endpoints(.slow).urlRequest().timeoutInterval == 0.3)
        #expect(try endpoints(.search).urlRequest().timeoutInterval == 20)
    }

    @Test("the timeout of @Timeout ends a request to a server that does not respond")
    func server() async throws {
        let server = try await MisbehavingServer()
        let client = DefaultsClient(baseURL: URL(string: "http://127.0.0.1:\(server.port)"))
        let error = await #expect(throws: MoyaError.self) { try await client.slow() }
        #expect(error?.isTimeout == true, "\(String(describing: error))")
        try await server.shutDown()
    }
}
#endif
