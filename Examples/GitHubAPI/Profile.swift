#if Macros
import MoyaMacros

/// A part of an application that uses the API: `any GitHub` can be a client or a mock.
public struct Profile: Sendable {
    private let gitHub: any GitHub

    /// Creates a profile.
    public init(gitHub: any GitHub) { self.gitHub = gitHub }

    /// Returns the name of a user and the number of the user's repositories.
    public func headline(of login: String) async throws -> String {
        let user = try await gitHub.user(login)
        let repositories = try await gitHub.repositories(of: login, sort: .pushed)
        return "\(user.name ?? user.login) (\(repositories.count))"
    }
}
#endif
