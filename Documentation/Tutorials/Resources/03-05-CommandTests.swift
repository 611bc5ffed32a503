import MoyaTesting
import Testing

@testable import octo

struct CommandTests {
    @Test func readsArguments() {
        #expect(Command(arguments: ["user", "ash"]) == .user(login: "ash"))
        #expect(Command(arguments: ["user"]) == nil)
        #expect(Command(arguments: []) == nil)
    }

    @Test func printsUser() async throws {
        let stubbed = MoyaProvider<GitHub>(
            stubClosure: MoyaProvider.immediatelyStub
        )
        let output = try await Command.user(login: "octocat")
            .output(of: Client(provider: stubbed))
        #expect(output == "octocat: The Octocat")
    }
}
