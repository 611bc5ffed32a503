import MoyaTesting
import Testing

@testable import octo

struct SessionTests {
    let transport = ScriptedTransport()

    @Test func sendsToken() async throws {
        let user = ScriptedResponse.json(["login": "octocat"])
        transport.on(.get, "/user", user).on(.get, "/users/octocat", user)
        let session = Session(transport: transport)
        let client = Client(session: session, token: "secret")

        _ = try await client.currentUser()
        _ = try await client.user("octocat")

        try transport.requests.expect(
            inOrder: .get("/user").header("Authorization", "Bearer secret"),
            .get("/users/octocat").without(header: "Authorization")
        )
    }

    @Test func retriesRequest() async throws {
        let user = ScriptedResponse.json(["login": "octocat"])
        transport.on(.get, "/users/octocat", .status(503), .reset, user)
        let session = Session(
            transport: transport,
            interceptor: Session.retries
        )

        let client = Client(session: session, token: nil)
        #expect(try await client.user("octocat").login == "octocat")

        try transport.requests.expect(.get("/users/octocat"), times: 3)
    }
}
