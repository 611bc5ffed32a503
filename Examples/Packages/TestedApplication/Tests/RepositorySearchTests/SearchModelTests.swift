import MoyaTesting
import Testing

@testable import RepositorySearch

@MainActor
struct SearchModelTests {
    let transport = ScriptedTransport()
    let model: SearchModel

    init() {
        model = SearchModel(provider: .application(transport: transport, token: { "token" }, backoff: 0.001))
    }

    static func page(_ names: String..., total: Int) -> ScriptedResponse {
        .json([
            "items": names.map { ["full_name": $0, "stargazers_count": 1] as [String: any Sendable] },
            "total_count": total,
        ])
    }

    @Test("a search shows the repositories, and sends the text, the page and the token")
    func search() async throws {
        transport.on(.get, "/search/repositories", Self.page("moya/moya", total: 1))

        await model.search(" moya ")

        #expect(model.state == .found([Repository(name: "moya/moya", stars: 1)]))
        #expect(!model.hasMore)
        try transport.requests.expect(
            inOrder: .get("https://api.github.com/search/repositories?q=moya&page=1&per_page=20")
                .header("Authorization", "Bearer token")
        )
    }

    @Test("an empty text sends no request")
    func emptyText() async throws {
        await model.search("  ")

        #expect(model.state == .empty)
        try transport.requests.expectNone()
    }

    @Test("the next page is below the first one, and no request follows the last page")
    func pages() async throws {
        transport
            .on(GitHub.search(text: "moya", page: 1), Self.page("a/a", "b/b", total: 3))
            .on(GitHub.search(text: "moya", page: 2), Self.page("c/c", total: 3))

        await model.search("moya")
        #expect(model.hasMore)
        await model.loadMore()
        await model.loadMore()

        #expect(model.state == .found(["a/a", "b/b", "c/c"].map { Repository(name: $0, stars: 1) }))
        try transport.requests.expect(
            inOrder: .target(GitHub.search(text: "moya", page: 1)),
            .target(GitHub.search(text: "moya", page: 2))
        )
    }

    @Test("a new search ends the previous one")
    func replacedSearch() async throws {
        transport
            .on(GitHub.search(text: "mo", page: 1), .stall)
            .on(GitHub.search(text: "moya", page: 1), Self.page("moya/moya", total: 1))

        async let first: Void = model.search("mo")
        try await transport.log.wait(for: .target(GitHub.search(text: "mo", page: 1)))
        await model.search("moya")
        await first

        #expect(model.state == .found([Repository(name: "moya/moya", stars: 1)]))
    }

    @Test("a request is sent again while the server is busy")
    func retry() async throws {
        transport.on(.get, "/search/repositories", .status(503), .reset, Self.page("moya/moya", total: 1), .noMore)

        await model.search("moya")

        #expect(model.state == .found([Repository(name: "moya/moya", stars: 1)]))
        try transport.finish()
    }

    @Test(
        "an error has a text for the user",
        arguments: [
            (.json(["message": "API rate limit exceeded"], status: 403), "API rate limit exceeded"),
            (.refused, "There is no connection."),
            (.dnsFailure, "There is no connection."),
            (.json(["items": "none"]), "The response cannot be read."),
            (.text("<html>", status: 502), "The response cannot be read."),
        ] as [(ScriptedResponse, String)]
    )
    func errors(response: ScriptedResponse, text: String) async {
        transport.on(.get, "/search/repositories", response)

        await model.search("moya")

        #expect(model.state == .failed(text))
    }

    @Test("a star is sent once, and shown before the server responds")
    func star() async throws {
        let repository = Repository(name: "moya/moya", stars: 1)
        transport.on(GitHub.star(repository: "moya/moya"), .status(204).after(seconds: 0.05))

        async let star: Void = model.star(repository)
        try await transport.log.wait(for: .put())
        #expect(model.starred == ["moya/moya"])
        await model.star(repository)
        await star

        #expect(model.starred == ["moya/moya"])
        try transport.requests.expect(.put("/user/starred/moya/moya").withoutBody(), times: 1)
    }

    @Test("a refused star is removed")
    func refusedStar() async {
        transport.on(.put, "/user/starred/moya/moya", .json(["message": "Bad credentials"], status: 401))

        await model.star(Repository(name: "moya/moya", stars: 1))

        #expect(model.starred.isEmpty)
        #expect(model.state == .failed("Bad credentials"))
    }

    @Test("a preview shows the sample data of the target")
    func preview() async {
        let preview = SearchModel(provider: MoyaProvider(stubClosure: MoyaProvider.immediatelyStub))

        await preview.search("moya")

        #expect(preview.state == .found([Repository(name: "moya/moya", stars: 15_000)]))
    }
}
