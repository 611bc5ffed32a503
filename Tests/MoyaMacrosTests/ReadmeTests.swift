#if Macros
import MoyaMacros
import MoyaTesting
import Testing

// This file has every line of the Swift blocks about macros in the README and in Documentation/Macros.md. The tests run them.

/// A namespace for the declarations, which the README does not have.
enum Readme {
    @API("https://api.github.com")
    protocol GitHub {
        @GET("/users/{name}") func user(name: String) async throws -> User
        @GET("/users/{name}/repos") func repositories(of name: String, sort: String, page: Int?) async throws
            -> [Repository]
        @POST("/repos/{owner}/{repo}/issues") @Bearer
        func createIssue(owner: String, repo: String, issue: Body<NewIssue>) async throws -> Issue
        @POST("/upload") @Multipart func upload(file: URL, caption: String) async throws
        @GET("/archive/{id}") @Download func archive(id: Int, to file: URL) async throws
        @GET("/events") @Stream func events() async throws -> ServerSentEvents
    }

    struct User: Codable { var login: String }
    struct Repository: Codable { var name: String }
    struct NewIssue: Codable { var title: String }
    struct Issue: Codable { var number: Int }
}

extension Readme.User: Sampled {
    static var sample: Readme.User { Readme.User(login: "octocat") }
}

// These are the encoder and the decoder of Documentation/Macros.md.

extension JSONDecoder {
    static let github: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()
}

extension JSONEncoder {
    static let github: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }()
}

/// A namespace for the declarations, which the document does not have.
enum CoderDocument {
    typealias User = Readme.User

    @API("https://api.github.com", keys: .snakeCase, encoder: .github, decoder: JSONDecoder.github)
    protocol GitHub {
        @GET("/users/{name}") func user(name: String) async throws -> User
    }
}

@Suite("The documentation's examples of an API run")
struct ReadmeTests {
    /// The client of the documentation's examples, without a network.
    private struct GitHubClient {
        func user(name: String) async throws -> Readme.User {
            let provider = MoyaProvider<Readme.GitHubAPI>(stubClosure: MoyaProvider.immediatelyStub)
            return try await Readme.GitHubClient(provider: provider).user(name: name)
        }
    }

    @Test("the documentation's example of a client runs")
    func client() async throws {
        let user = try await GitHubClient().user(name: "ashfurrow")
        #expect(user.login == "octocat")
    }

    @Test("the documentation's example of an encoder and a decoder runs")
    func coders() async throws {
        let provider = MoyaProvider<CoderDocument.GitHubAPI>(stubClosure: MoyaProvider.immediatelyStub)
        #expect(try await CoderDocument.GitHubClient(provider: provider).user(name: "a").login == "octocat")
    }

    @Test("the documentation's example of a mock runs")
    func mock() async throws {
        typealias GitHubMock = Readme.GitHubMock
        typealias User = Readme.User
        let mock = GitHubMock { handlers in
            handlers.user = { name in User(login: name) }
        }
        let mocked = try await mock.user(name: "ashfurrow")
        #expect(mock.calls == [.user(name: "ashfurrow")])
        #expect(mocked.login == "ashfurrow")
        mock.handlers.user = { _ in User(login: "another") }
        #expect(try await mock.user(name: "ashfurrow").login == "another")
    }

    @Test("the documentation's example of a client's providers runs")
    func providers() async throws {
        typealias GitHubAPI = Readme.GitHubAPI
        typealias GitHubClient = Readme.GitHubClient
        let session = Session(interceptor: RetryPolicy())
        let provider = MoyaProvider<GitHubAPI>(
            session: session,
            plugins: [AccessTokenPlugin { _ in "token" }, NetworkLoggerPlugin.default]
        )
        let client = GitHubClient(provider: provider)
        let stubbed = GitHubClient(provider: MoyaProvider<GitHubAPI>(stubClosure: MoyaProvider.immediatelyStub))
        #expect(client.provider === provider)
        #expect(try await stubbed.user(name: "ashfurrow").login == "octocat")

        let staging = URL(string: "https://staging.example.com")!
        let stagingClient = GitHubClient(baseURL: staging, session: session, plugins: [NetworkLoggerPlugin.default])
        #expect(stagingClient.provider.endpoint(.user(name: "a")).url == "https://staging.example.com/users/a")
    }

    @Test("the documentation's example of a client's provider runs with plugins, progress and cancellation")
    func provider() async throws {
        let transport = ScriptedTransport()
            .on(.post, "/upload", .status(201))
            .on(.post, "/repos/a/b/issues", .json(["number": 1]))
            .on(.get, "/archive/1", .stall)
        let provider = MoyaProvider<Readme.GitHubAPI>(
            session: Session(transport: transport, interceptor: RetryPolicy()),
            plugins: [AccessTokenPlugin { _ in "token" }, NetworkLoggerPlugin.default]
        )
        let client = Readme.GitHubClient(provider: provider)
        _ = try await client.createIssue(owner: "a", repo: "b", issue: Readme.NewIssue(title: "c"))
        try transport.requests.expect(.post("/repos/a/b/issues").header("Authorization", "Bearer token"))

        let photo = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jpg")
        try Data(repeating: 1, count: 1_000).write(to: photo)
        defer { try? FileManager.default.removeItem(at: photo) }
        var last: ProgressResponse?
        for try await progress in client.provider.requestWithProgress(.upload(file: photo, caption: "Sunset")) {
            last = progress
        }
        #expect(last?.response?.statusCode == 201 && last?.progress == 1)

        let download = Task { try await client.archive(id: 1, to: photo) }
        try await transport.log.wait(for: .get("/archive/1"))
        download.cancel()
        let error = await #expect(throws: MoyaError.self) { try await download.value }
        #expect(error?.isCancelled == true)
    }
}
#endif
