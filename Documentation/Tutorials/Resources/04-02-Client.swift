import Moya

struct Client {
    var provider = MoyaProvider<GitHub>()

    func user(_ login: String) async throws(MoyaError) -> User {
        try await response(to: .user(login: login)).map(User.self)
    }

    func repositories(
        of login: String
    ) async throws(MoyaError) -> [Repository] {
        try await response(to: .repositories(login: login))
            .map([Repository].self, using: JSONDecoder.gitHub)
    }

    func create(
        _ issue: NewIssue,
        owner: String,
        repository: String
    ) async throws(MoyaError) -> Issue {
        try await response(
            to: .create(issue, owner: owner, repository: repository)
        )
        .map(Issue.self)
    }

    func currentUser() async throws(MoyaError) -> User {
        try await response(to: .currentUser).map(User.self)
    }

    private func response(
        to target: GitHub
    ) async throws(MoyaError) -> Response {
        try await provider.request(target, orThrow: APIFailure.self)
    }
}

extension Client {
    init(session: Session = Session(), token: String?) {
        var plugins: [any PluginType] = []
        if let token { plugins.append(AccessTokenPlugin { _ in token }) }
        provider = MoyaProvider(session: session, plugins: plugins)
    }
}
