import Moya
import Testing

@Suite("Targets, plugins and providers work in a module with default isolation to the main actor")
struct MainActorTests {
    private let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)

    @Test("a target works with its members in one declaration and in an extension")
    func targets() async throws {
        #expect(try await provider.request(.zen).map(User.self) == User(login: "octocat"))
        let gitLab = MoyaProvider<GitLab>(stubClosure: MoyaProvider.immediatelyStub)
        #expect(try await gitLab.request(.user("a")).map(User.self) == User(login: "tanuki"))
        #expect(try await away().map(User.self) == User(login: "octocat"))
    }

    @concurrent
    private nonisolated func away() async throws -> Response {
        try await MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub).request(.zen)
    }

    @Test("a typed target returns a model that is not isolated")
    func typed() async throws {
        let provider = MoyaProvider<GetUser>(stubClosure: MoyaProvider.immediatelyStub)
        #expect(try await provider.request(GetUser(name: "b")) == User(login: "b"))
        let multi = MoyaProvider<MultiTarget>(stubClosure: MoyaProvider.immediatelyStub)
        #expect(try await multi.request(GetUser(name: "c")) == User(login: "c"))
    }

    @Test("plugins work with their members in one declaration and in an extension")
    func plugins() async throws {
        let provider = MoyaProvider<GitHub>(
            stubClosure: MoyaProvider.immediatelyStub,
            plugins: [HeaderPlugin(), LanguagePlugin()]
        )
        let request = try await provider.request(.zen).request
        #expect(request?.value(forHTTPHeaderField: "X-Plugin") == "1")
        #expect(request?.value(forHTTPHeaderField: "Accept-Language") == "de")
    }

    @Test("a token is added to a target whose conformance is in an extension")
    func token() async throws {
        let provider = MoyaProvider<GitHub>(
            stubClosure: MoyaProvider.immediatelyStub,
            plugins: [AccessTokenPlugin { _ in "t" }]
        )
        let request = try await provider.request(.zen).request
        #expect(request?.value(forHTTPHeaderField: "Authorization") == "Bearer t")
    }

    @Test("a subclass of a provider overrides `request`")
    func subclass() async throws {
        let provider = OwnProvider(stubClosure: MoyaProvider.immediatelyStub)
        let url = await withCheckedContinuation { continuation in
            _ = provider.request(.zen, completion: { continuation.resume(returning: try? $0.get().request?.url) })
        }
        #expect(url?.path == "/users/own")
    }

    @Test("a class of the main actor maps its models on the main actor, even in a completion")
    func viewModel() async throws {
        let model = ViewModel(provider)
        try await model.load()
        #expect(model.user?.login == "octocat")
        let other = ViewModel(provider)
        await withCheckedContinuation { continuation in other.load { continuation.resume() } }
        #expect(other.user?.login == "octocat")
    }
}
