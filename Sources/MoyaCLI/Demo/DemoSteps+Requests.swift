import Foundation
import Moya

// Requests with paths, queries and bodies.
extension DemoStep {
    static let plain = DemoStep(
        "A plain request",
        code: "provider.request(.zen).mapString()",
        expecting: "the API's line of wisdom"
    ) { demo in
        let zen = try await demo.providers.github.request(.zen).mapString()
        return Finding(zen.debugDescription, isAsExpected: zen == DemoData.zen)
    }

    static let path = DemoStep(
        "A name in the path",
        code: #"provider.request(.userProfile("ashfurrow")).map(User.self)"#,
        expecting: "a user called ashfurrow"
    ) { demo in
        let user = try await demo.providers.github.request(.userProfile("ashfurrow")).map(User.self)
        return Finding("\(user)", isAsExpected: user.login == "ashfurrow")
    }

    static let query = DemoStep(
        "A parameter in the query",
        code: #"provider.request(.userRepositories("ashfurrow")).map([Repository].self, using: decoder)"#,
        expecting: "repositories, sorted by their last push"
    ) { demo in
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let repositories = try await demo.providers.github.request(.userRepositories("ashfurrow"))
            .map([Repository].self, using: decoder)
        let isSorted = repositories == repositories.sorted { $0.pushedAt > $1.pushedAt }
        return Finding(
            repositories.map { "\($0.name.debugDescription) (\($0.pushedAt.formatted(.iso8601.year().month().day())))" }
                .joined(separator: ", "),
            isAsExpected: isSorted && repositories.count > 1
        )
    }

    static let booleanQuery = DemoStep(
        "A Boolean in the query, and a key path in the response",
        code: #"provider.request(.branches("Moya", true)).map([String].self, atKeyPath: "name")"#,
        expecting: "the names of the protected branches"
    ) { demo in
        let names = try await demo.providers.github.request(.branches("Moya", true))
            .map([String].self, atKeyPath: "name")
        return Finding("\(names)", isAsExpected: names == DemoData.branches.filter(\.protected).map(\.name))
    }

    static let jsonBody = DemoStep(
        "A value as JSON in the body",
        code: #"provider.request(.createIssue(owner: "Moya", repo: "Moya", draft)).map(Issue.self)"#,
        expecting: "201 and the issue, open and with a number"
    ) { demo in
        let draft = IssueDraft(title: "It works", body: "From an enum case to a socket, and back.")
        let response = try await demo.providers.github.request(.createIssue(owner: "Moya", repo: "Moya", draft))
        let issue = try response.map(Issue.self)
        return Finding(
            "\(issue)",
            isAsExpected: response.statusCode == 201 && issue.title == draft.title && issue.body == draft.body
                && issue.state == "open" && issue.number > 0
        )
    }
}
