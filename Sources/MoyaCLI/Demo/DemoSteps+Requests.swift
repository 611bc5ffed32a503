import Foundation
import Moya

extension DemoStep {
    /// All steps in order.
    static let all: [DemoStep] = [
        plain, path, query, booleanQuery, jsonBody,
        token, noToken, validationFailure,
        stub, multiTarget, callback, cancellation, cached,
        compressed, lines, events, upload, download,
    ]
}

// These steps send paths, queries and bodies.
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

// These steps send requests that a server rejects.
extension DemoStep {
    static let token = DemoStep(
        "A bearer token, from a plugin",
        code: "MoyaProvider<GitHub>(plugins: [AccessTokenPlugin { _ in token }]).request(.currentUser)",
        expecting: "the user whose token it is"
    ) { demo in
        let user = try await demo.providers.authorized.request(.currentUser).filterSuccessfulStatusCodes()
            .map(User.self)
        return Finding("\(user)", isAsExpected: user.login == DemoData.owner.login)
    }

    static let noToken = DemoStep(
        "The same without the token",
        code: "MoyaProvider<GitHub>().request(.currentUser).mapJSON()",
        expecting: "401, a challenge, and the reason as JSON"
    ) { demo in
        let response = try await demo.providers.github.request(.currentUser)
        let json = try response.mapJSON() as? [String: Any]
        let challenge = response.response?.headers["WWW-Authenticate"]
        return Finding(
            "\(json ?? [:])",
            isAsExpected: response.statusCode == 401 && challenge?.hasPrefix("Bearer") == true
                && json?["message"] is String
        )
    }

    static let validationFailure = DemoStep(
        "A status that the target does not accept",
        code: "var validationType: ValidationType { .successCodes }",
        expecting: "an error that has the response: 500, and its body"
    ) { demo in
        do throws(MoyaError) {
            let response = try await demo.providers.github.request(.broken)
            return Finding("no error, but \(response.description)", isAsExpected: false)
        } catch {
            guard case .underlying(MoyaError.statusCode, let response?) = error else { throw error }
            let message = try response.mapString(atKeyPath: "message")
            return Finding(
                "\(ErrorText(error)) The body says \(message.debugDescription)",
                isAsExpected: response.statusCode == 500 && !message.isEmpty
            )
        }
    }
}
