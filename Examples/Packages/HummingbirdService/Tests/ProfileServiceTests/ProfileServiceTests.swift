import Hummingbird
import HummingbirdTesting
import InMemoryTracing
import MoyaTesting
import Testing
import Tracing

@testable import ProfileService

struct ProfileServiceTests {
    let transport = ScriptedTransport()

    /// Sends a request to the service, whose requests to GitHub get the responses of the transport.
    func get(_ path: String) async throws -> TestResponse {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 0.2
        let session = Session(
            transport: transport,
            configuration: configuration,
            interceptor: RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0.01),
            options: SessionOptions(instruments: .observed)
        )
        let gitHub = MoyaProvider<GitHub>(session: session)
        return try await App.application(gitHub: gitHub).test(.router) { client in
            try await client.execute(uri: path, method: .get)
        }
    }

    @Test("a profile has the name of the user and the latest repository")
    func profile() async throws {
        transport
            .on(.get, "/users/ash", .json(["login": "ash", "name": "Ash Furrow"]))
            .on(.get, "/users/ash/repos", .json([["name": "Moya"], ["name": "Eidolon"]] as JSONLiteral))

        let response = try await get("/profiles/ash")

        #expect(response.status == .ok)
        let profile = try JSONDecoder().decode(Profile.self, from: Data(String(buffer: response.body).utf8))
        #expect(profile == Profile(name: "Ash Furrow", repositories: 2, latestRepository: "Moya"))
        try transport.requests.expect(.get("/users/ash/repos?sort=pushed"))
    }

    /// The tracer, which a process can set up once.
    static let tracer = {
        let tracer = InMemoryTracer()
        InstrumentationSystem.bootstrap(tracer)
        return tracer
    }()

    @Test("the spans of the requests to GitHub are children of the service's span")
    func spans() async throws {
        let tracer = Self.tracer
        transport
            .on(.get, "/users/traced", .json(["login": "traced"]))
            .on(.get, "/users/traced/repos", .json([] as JSONLiteral))

        _ = try await get("/profiles/traced")

        let spans = tracer.finishedSpans
        let service = try #require(spans.first { $0.attributes.get("url.path") == .string("/profiles/traced") })
        let children = spans.filter { $0.parentSpanID == service.spanID && $0.kind == .client }
        #expect(Set(children.map(\.operationName)) == ["GET /users/{login}", "GET /users/{login}/repos"])
    }

    @Test("the service is ready while its session accepts requests")
    func ready() async throws {
        #expect(try await get("/ready").status == .ok)
    }

    @Test("a failed request to GitHub is sent again once")
    func retry() async throws {
        transport
            .on(.get, "/users/ash", .status(503), .json(["login": "ash"]), .noMore)
            .on(.get, "/users/ash/repos", .json([] as JSONLiteral))

        #expect(try await get("/profiles/ash").status == .ok)
        try transport.finish()
    }

    @Test(
        "an error of GitHub has the status of the service's error",
        arguments: [
            (ScriptedResponse.status(404), 404), (.status(500), 502), (.text("no JSON"), 502), (.reset, 502),
            (.stall, 504),
        ]
    )
    func errors(response: ScriptedResponse, status: Int) async throws {
        transport
            .on(.get, "/users/ash", response)
            .on(.get, "/users/ash/repos", .json([] as JSONLiteral))

        #expect(try await get("/profiles/ash").status.code == status)
    }

    @Test("a login that would lead to another path is refused")
    func path() async throws {
        #expect(try await get("/profiles/..%2Fuser").status == .badRequest)
        try transport.requests.expectNone()
    }

    @Test("the limit of GitHub is passed on with the time to wait")
    func limit() async throws {
        transport
            .on(.get, "/users/ash", .status(403).header("Retry-After", "30"))
            .on(.get, "/users/ash/repos", .json([] as JSONLiteral))

        let response = try await get("/profiles/ash")
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] == "30")
    }

    @Test("the session is shut down with the service")
    func shutdown() async throws {
        let session = Session(transport: transport)
        let gitHub = MoyaProvider<GitHub>(session: session)
        try await App.application(gitHub: gitHub).test(.router) { _ in }

        let error = await #expect(throws: MoyaError.self) { try await gitHub.request(.user("ash")) }
        #expect(error?.urlError?.isShutdown == true)
    }
}
