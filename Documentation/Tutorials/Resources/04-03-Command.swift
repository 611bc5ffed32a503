import Moya

enum Command: Equatable {
    case user(login: String)
    case repositories(login: String)
    case issue(owner: String, repository: String, title: String)
    case whoami

    init?(arguments: [String]) {
        switch (arguments.first, arguments.count) {
        case ("user", 2): self = .user(login: arguments[1])
        case ("repos", 2): self = .repositories(login: arguments[1])
        case ("issue", 4):
            self = .issue(
                owner: arguments[1],
                repository: arguments[2],
                title: arguments[3]
            )
        case ("whoami", 1): self = .whoami
        default: return nil
        }
    }

    func output(of client: Client) async throws(MoyaError) -> String {
        switch self {
        case .user(let login):
            let user = try await client.user(login)
            return "\(user.login): \(user.name ?? "without a name")"
        case .repositories(let login):
            let repositories = try await client.repositories(of: login)
            let lines = repositories.map { repository in
                let day = repository.pushedAt
                    .formatted(.iso8601.year().month().day())
                return "\(day) \(repository.name)"
            }
            return lines.joined(separator: "\n")
        case .issue(let owner, let repository, let title):
            let issue = try await client.create(
                NewIssue(title: title, body: "Created by octo."),
                owner: owner,
                repository: repository
            )
            return "#\(issue.number): \(issue.title)"
        case .whoami:
            return try await client.currentUser().login
        }
    }
}
