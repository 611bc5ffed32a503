import MoyaTesting
import Testing

@testable import octo

struct ClientTests {
    let transport = ScriptedTransport()
    let client: Client

    init() {
        let session = Session(transport: transport)
        client = Client(provider: MoyaProvider(session: session))
    }

    @Test func requestsRepositories() async throws {
        let moya = ["name": "Moya", "pushed_at": "2025-06-15T15:06:40Z"]
        transport.on(.get, "/users/octocat/repos", .json([moya]))

        let repositories = try await client.repositories(of: "octocat")

        #expect(repositories.map(\.name) == ["Moya"])
        try transport.requests.expect(
            inOrder: .get("/users/octocat/repos").query("sort", "pushed")
        )
    }

    @Test func throwsFailureOfServer() async throws {
        let failure = ScriptedResponse.json(["message": "No."], status: 422)
        transport.on(.post, "/repos/*/*/issues", failure)

        let issue = NewIssue(title: "A typo", body: "")
        let error = await #expect(throws: MoyaError.self) {
            try await client.create(issue, owner: "a", repository: "b")
        }

        #expect(error?.statusCode == 422)
        try transport.requests.expect(
            inOrder: .post("/repos/a/b/issues").json("title", "A typo")
        )
    }
}
