import Moya

/// A user as the service describes it.
struct Profile: Codable, Equatable {
    var name: String
    var repositories: Int
    var latestRepository: String?
}

/// Composes profiles from responses of GitHub.
struct Profiles: Sendable {
    let provider: MoyaProvider<GitHub>

    func profile(of login: String) async throws -> Profile {
        async let userResponse = provider.request(.user(login))
        async let repositoriesResponse = provider.request(.repositories(of: login))
        let user = try await userResponse.map(User.self)
        let repositories = try await repositoriesResponse.map([Repository].self)
        return Profile(
            name: user.name ?? user.login,
            repositories: repositories.count,
            latestRepository: repositories.first?.name
        )
    }
}
