import Foundation
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A scripted transport works with a session's policies", .timeLimit(.minutes(5)))
struct ScriptedPolicyTests {
    @Test("a retry policy succeeds after the scripted statuses 503, 503 and 200")
    func retry() async throws {
        let transport = ScriptedTransport().on(Shop.list, .status(503), .status(503), .text("a"), .noMore)
        let provider = MoyaProvider<Shop>(transport, interceptor: RetryPolicy(retryLimit: 3))
        #expect(try await provider.request(.list).mapString() == "a")
        try transport.finish()
    }

    @Test("a retry policy succeeds after scripted faults, up to its limit")
    func retryFaults() async throws {
        let transport = ScriptedTransport().on(Shop.list, .reset, .refused, .text("abc").truncated(at: 1), .text("a"))
        let provider = MoyaProvider<Shop>(transport, interceptor: RetryPolicy(retryLimit: 3))
        #expect(try await provider.request(.list).mapString() == "a")
        try transport.finish()
        let twice = MoyaProvider<Shop>(
            ScriptedTransport().on(Shop.list, .reset, .refused, .text("a")),
            interceptor: RetryPolicy(retryLimit: 1)
        )
        #expect((await twice.error(.list) as? URLError)?.code == .cannotConnectToHost)
    }

    @Test("the request after a scripted redirect gets the target's next response")
    func redirect() async throws {
        let transport = ScriptedTransport().on(Shop.list, .redirect(to: "/v2/items"), .text("moved"))
        let response = try await MoyaProvider<Shop>(transport).request(.list)
        #expect(try response.mapString() == "moved")
        #expect(response.response?.url?.absoluteString == "https://shop.example.com/v2/items")
        try transport.finish()
        let byURL = ScriptedTransport().on(.get, "/v2/*", .text("there")).on(Shop.list, .redirect(to: "/v2/items"))
        #expect(try await MoyaProvider<Shop>(byURL).request(.list).mapString() == "there")
    }

    @Test("a scripted redirect to the same URL fails at the limit of redirects")
    func redirectLoop() async throws {
        let provider = MoyaProvider<Shop>(ScriptedTransport().on(Shop.list, .redirect(to: "/v1/items", status: 307)))
        #expect((await provider.error(.list) as? URLError)?.code == .httpTooManyRedirects)
    }

    @Test("scripted cookies are stored and sent")
    func cookies() async throws {
        let transport = ScriptedTransport()
            .on(where: { $0.headers[.cookie] == "id=1" }, .text("known"))
            .on("**", .text("new").header("Set-Cookie", "id=1; Path=/"), .noMore)
        let provider = MoyaProvider<Shop>(
            session: Session(transport: transport, options: SessionOptions(cookieStorage: CookieJar()))
        )
        #expect(try await provider.request(.list).mapString() == "new")
        #expect(try await provider.request(.list).mapString() == "known")
        try transport.finish()
    }

    @Test("a scripted challenge gets a response with the request's credential")
    func challenge() async throws {
        let transport = ScriptedTransport()
            .on(where: { $0.headers[.authorization] == "Basic dTpw" }, .text("in"))
            .on("**", .status(401).header("WWW-Authenticate", "Basic realm=\"r\""))
        let session = Session(transport: transport)
        let url = try #require(URL(string: "http://h/a"))
        let answer = try await session.request(URLRequest(url: url)).authenticate(username: "u", password: "p").value
        #expect(answer.data == Data("in".utf8))
        try transport.finish()
    }

    @Test("a token that the script refuses is refreshed, and the request is retried")
    func token() async throws {
        let token = ["access_token": "new", "token_type": "Bearer"]
        let transport = ScriptedTransport().on(.post, "https://auth.example.com/token", .json(token), .noMore)
            .on(where: { $0.headers[.authorization] == "Bearer new" }, .text("in"))
            .on(Shop.list, .status(401), .noMore)
        let url = try #require(URL(string: "https://auth.example.com/token"))
        let interceptor = AuthenticationInterceptor(
            authenticator: OAuth2Authenticator(tokenURL: url, client: .public(id: "app"), origins: [Shop.list.baseURL]),
            credential: OAuth2Credential(accessToken: "old", refreshToken: "again")
        )
        let provider = MoyaProvider<Shop>(transport, interceptor: interceptor)
        #expect(try await provider.request(.list).mapString() == "in")
        try transport.finish()
    }

    @Test("an event stream reconnects after each scripted response, and ends at a 204")
    func events() async throws {
        let transport = ScriptedTransport()
            .on(
                Shop.list,
                .chunks(["retry: 1\nid: 1\n", "data: a\n\n"], type: "text/event-stream"),
                .chunks(["data: b\n\n", "data: cut"], type: "text/event-stream").truncated(at: 12),
                .status(204),
                .noMore
            )
        var data: [String] = []
        for try await event in MoyaProvider<Shop>(transport).events(.list) { data.append(event.data) }
        #expect(data == ["a", "b"])
        try transport.finish()
    }
}
