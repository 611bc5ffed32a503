#if Macros
import Foundation
import MoyaMacros
import MoyaTesting
import TestServers
import Testing

/// Endpoints that request a given URL.
@API("https://links.example/v1") @Bearer @Headers(["X-Key": "secret"])
protocol Links: Sendable {
    @GET func page(at link: RequestURL<URL>, perPage: Int?) async throws -> String
    @POST func send(to link: RequestURL<String>, note: String, more: QueryMap<[String: Int]>) async throws
    @GET @Download func save(_ link: RequestURL<URL>, to file: URL) async throws
    @GET("/first") func first() async throws -> TypedResponse<String>
}

@Suite("A RequestURL is the URL of the request", .timeLimit(.minutes(5)))
struct RequestURLTests {
    private func url(_ link: String, at base: String? = nil) throws -> String? {
        let endpoint = MoyaProvider<LinksAPI>.endpoints(at: base.flatMap { URL(string: $0) })
        return try endpoint(.send(to: link, note: "n", more: [:])).urlRequest().url?.absoluteString
    }

    @Test(
        "a URL of the base URL's origin replaces it, and a relative one is resolved",
        arguments: [
            ("https://links.example/other?a=b%20c", "https://links.example/other?a=b%20c"),
            ("HTTPS://LINKS.example:443/x", "HTTPS://LINKS.example:443/x"),
            ("https://user:password@links.example/x", "https://links.example/x"),
            ("/x?page=2", "https://links.example/x?page=2"), ("x?page=2", "https://links.example/x?page=2"),
            ("?page=2", "https://links.example/v1?page=2"), ("//links.example/y", "https://links.example/y"),
        ]
    )
    func accepted(link: String, expected: String) throws {
        #expect(try url(link) == expected)
    }

    @Test(
        "a URL of another origin, or none, is an error before anything is sent",
        arguments: [
            ("https://evil.example/v1", RequestURLError.Reason.otherOrigin), ("//evil.example/v1", .otherOrigin),
            ("https://links.example.evil.example/", .otherOrigin),
            ("https://links.example@evil.example/", .otherOrigin),
            ("https://links.example:8443/", .otherOrigin), ("http://links.example/v1", .otherOrigin),
            ("https://sub.links.example/", .otherOrigin), ("", .invalid), ("ftp://links.example/", .invalid),
            ("javascript:alert(1)", .invalid), ("https://", .invalid), ("https://links.example:99999/", .invalid),
            ("https://links.example/a b", .invalid), ("https://links.example/a\r\nX: y", .invalid),
            ("file:///etc/passwd", .invalid),
        ]
    )
    func refused(link: String, reason: RequestURLError.Reason) throws {
        let error = #expect(throws: MoyaError.self) { try url(link) }
        guard case .parameterEncoding(let cause)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause as? RequestURLError == RequestURLError(parameter: "link", reason: reason))
        #expect(error?.errorDescription?.contains("\"link\"") == true)
    }

    @Test("the origin is that of the server that a client uses, and https may replace http")
    func replacedServer() throws {
        #expect(try url("http://localhost:8080/next", at: "http://localhost:8080/api") == "http://localhost:8080/next")
        #expect(try url("https://localhost/next", at: "http://localhost/api") == "https://localhost/next")
        #expect(throws: MoyaError.self) { try url("https://links.example/v1", at: "http://localhost:8080/api") }
    }

    @Test("another server gets no request, and so no credentials; a link of the server is followed with them")
    func servers() async throws {
        let other = try await StubServer([:])
        let server = try await ExampleServer([
            "GET /first": .init(type: "text/plain", body: "1"), "GET /next": .init(type: "text/plain", body: "2"),
        ])
        let session = Session(configuration: .withDefaultHeaders)
        let client = LinksClient(
            baseURL: server.baseURL,
            session: session,
            plugins: [AccessTokenPlugin { _ in "token" }]
        )
        let base = try #require(await client.first().response.request?.url)
        let next = try #require(URL(string: "/next?cursor=a%2Fb", relativeTo: base))
        #expect(try await client.page(at: next, perPage: 5) == "2")
        let request = try #require(await server.last)
        #expect(request.line == "GET /next?cursor=a%2Fb&perPage=5")
        #expect(request.head["Authorization"] == "Bearer token" && request.head["X-Key"] == "secret")

        await #expect(throws: MoyaError.self) { try await client.page(at: other.url("/next"), perPage: nil) }
        // The other server would have reported the request before this one.
        _ = try await Session(configuration: .ephemeral).data(for: URLRequest(url: other.url("/own")))
        guard case .head(let head)? = await other.events.first(where: { _ in true }) else {
            Issue.record("no request")
            return
        }
        #expect(head.path == "/own")
        await session.transport.shutdown()
        await server.shutDown()
        await other.shutDown()
    }

    @Test("a body, a query and a download go to the URL")
    func contents() async throws {
        let transport = ScriptedTransport()
            .on(.post, "https://links.example/items", .status(204))
            .on(.get, "https://links.example/file", .text("content"))
        let client = LinksClient(session: Session(transport: transport))
        try await client.send(to: "/items?a=1", note: "n", more: ["b": 2])
        try transport.requests.expect(
            .post("/items").query(exactly: ["a": "1", "b": "2"]).json(exactly: ["note": "n"])
        )
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try await client.save(try #require(URL(string: "https://links.example/file")), to: file)
        #expect(try String(contentsOf: file, encoding: .utf8) == "content")
    }

    @Test("equal targets have equal URLs, and endpoints are compared by them")
    func equality() {
        let target = { (link: String) in LinksAPI.send(to: link, note: "n", more: [:]) }
        #expect(target("/a") == target("/a") && target("/a") != target("/b"))
        let endpoint = MoyaProvider<LinksAPI>.defaultEndpointMapping
        #expect(endpoint(target("/a")) == endpoint(target("/a")) && endpoint(target("/a")) != endpoint(target("/b")))
    }
}
#endif
