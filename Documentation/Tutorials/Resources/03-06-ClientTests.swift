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
}
