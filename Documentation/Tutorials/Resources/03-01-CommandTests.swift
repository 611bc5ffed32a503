import MoyaTesting
import Testing

@testable import octo

struct CommandTests {
    @Test func readsArguments() {
        #expect(Command(arguments: ["user", "ash"]) == .user(login: "ash"))
        #expect(Command(arguments: ["user"]) == nil)
        #expect(Command(arguments: []) == nil)
    }
}
