#if Macros
// This is the test file of Documentation/Testing.md, within `#if` and otherwise unchanged.
import MoyaMacros  // for the members of a client and a mock
import MoyaTesting
import Testing

@testable import GitHubAPIExample  // the module of the application

struct ProfileTests {
    @Test func headline() async throws {
        let mock = GitHubMock { handlers in
            handlers.user = { login in User(login: login, name: "Ash") }
            handlers.repositories = { _, _, _ in [.sample] }
        }
        #expect(try await Profile(gitHub: mock).headline(of: "ash") == "Ash (1)")
        #expect(mock.calls == [.user("ash"), .repositories(of: "ash", sort: .pushed, perPage: nil)])
    }

    @Test func unknownUser() async throws {
        let transport = ScriptedTransport()
            .on(.get, "/users/*", .json(["message": "Not Found"], status: 404))
        let client = GitHubClient(session: Session(transport: transport))
        let error = await #expect(throws: MoyaError.self) { try await Profile(gitHub: client).headline(of: "ash") }
        #expect(error?.statusCode == 404)
        try transport.requests.expect(inOrder: .get("/users/ash").header("Accept", "application/vnd.github+json"))
    }
}
#endif
