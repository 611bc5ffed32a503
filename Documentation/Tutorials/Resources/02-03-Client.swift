import Moya

struct Client {
    var provider = MoyaProvider<GitHub>()

    func user(_ login: String) async throws(MoyaError) -> User {
        try await provider.request(.user(login: login)).map(User.self)
    }

    func repositories(
        of login: String
    ) async throws(MoyaError) -> [Repository] {
        try await provider.request(.repositories(login: login))
            .map([Repository].self, using: JSONDecoder.gitHub)
    }
}
