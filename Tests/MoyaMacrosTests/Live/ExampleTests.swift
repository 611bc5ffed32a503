#if Macros
import Foundation
import GitHubAPIExample
import MoyaMacros
import TestServers
import Testing

@Suite("Examples/GitHubAPI declares and calls thirty endpoints", .timeLimit(.minutes(5)))
struct ExampleTests {
    @Test("the example GitHubAPI has fewer than 60 lines and at least 30 endpoints")
    func lines() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Examples/GitHubAPI/GitHub.swift")
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let begin = try #require(lines.firstIndex { $0.contains("@API(") })
        let end = try #require(lines.lastIndex { $0 == "}" })
        #expect(end - begin + 1 < 60)
        let verbs = ["@GET(", "@POST(", "@PUT(", "@PATCH(", "@DELETE(", "@HEAD(", "@OPTIONS(", "@HTTP("]
        let endpoints = lines[begin...end].count { line in verbs.contains { line.contains($0) } }
        #expect(endpoints >= 30)
        #expect(lines[begin...end].count { $0.contains("func ") } == endpoints)
        #expect(Set(Self.calls.map { $0.name.prefix { $0 != " " } }).count == endpoints, "a call of each")
    }

    /// The request of a call, and its result.
    struct Call: Sendable, CustomTestStringConvertible {
        var name: String
        /// The method, the path and the query.
        var line: String
        /// The body as text.
        var body: String?
        /// Headers besides the usual ones.
        var headers: [String: String] = [:]
        var response = ExampleServer.Response()
        /// Performs the call, and returns whether the result is as expected.
        var run: @Sendable (GitHubClient, URL) async throws -> Bool

        var testDescription: String { name }
    }

    @Test("every endpoint of the example sends the expected request and returns the result", arguments: Self.calls)
    func call(_ call: Call) async throws {
        let path = String(call.line.prefix { $0 != "?" })
        let server = try await ExampleServer([path: call.response])
        let session = Session(configuration: .withDefaultHeaders)
        let client = GitHubClient(
            baseURL: server.baseURL,
            session: session,
            plugins: [AccessTokenPlugin { _ in "secret" }]
        )
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("file.txt")
        try Data("content".utf8).write(to: file)
        let isRight = try await call.run(client, file)
        #expect(isRight)
        let request = try #require(await server.last)
        #expect(request.line == call.line)
        if let body = call.body { #expect(request.text == body) }
        for (name, value) in call.headers { #expect(request.head[name] == value) }
        #expect(request.head["Accept"] == call.headers["Accept"] ?? "application/vnd.github+json")
        await session.transport.shutdown()
        await server.shutDown()
    }

    @Test("a call of the example throws the server's error body")
    func refusal() async throws {
        let server = try await ExampleServer([
            "GET /user": .init(status: "401 Unauthorized", body: #"{"message":"Bad credentials"}"#)
        ])
        let session = Session(configuration: .withDefaultHeaders)
        let error = await #expect(throws: MoyaError.self) {
            try await GitHubClient(baseURL: server.baseURL, session: session).me()
        }
        guard case .underlying(let problem as Problem, let response?)? = error else {
            Testing.Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.message == "Bad credentials" && response.statusCode == 401)
        await session.transport.shutdown()
        await server.shutDown()
    }

    @Test("a hostile value stays in its place in the example's request")
    func hostile() async throws {
        let server = try await ExampleServer(["GET /users/..%2Fadmin%3Fa%23%0D%0Ab": .init(body: #"{"login":"x"}"#)]
        )
        let session = Session(configuration: .withDefaultHeaders)
        let client = GitHubClient(baseURL: server.baseURL, session: session)
        #expect(try await client.user("../admin?a#\r\nb").login == "x")
        // A header cannot hold a line break, so the request is refused before it is sent.
        let error = await #expect(throws: MoyaError.self) {
            try await client.gist(id: UUID(), ifNoneMatch: "a\r\nHost: b")
        }
        guard case .underlying(let cause as RequestValidationError, _)? = error else {
            Testing.Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause == .invalidHeaderValue(name: "If-None-Match"))
        await session.transport.shutdown()
        await server.shutDown()
    }

    private static let user = ExampleServer.Response(body: #"{"login":"ash","name":"Ash"}"#)
    private static let repositories = ExampleServer.Response(body: #"[{"name":"Moya","private":false}]"#)
    private static let id = UUID(uuidString: "00000000-0000-0000-0000-00000000000A") ?? UUID()

    static let calls: [Call] = [
        Call(
            name: "zen",
            line: "GET /zen",
            headers: ["Accept": "text/plain"],
            response: .init(type: "text/plain", body: "Half measures."),
            run: { client, _ in try await client.zen() == "Half measures." }
        ),
        Call(
            name: "user",
            line: "GET /users/ash",
            response: user,
            run: { client, _ in try await client.user("ash") == User(login: "ash", name: "Ash") }
        ),
        Call(
            name: "repositories",
            line: "GET /users/ash/repos?per_page=5&sort=full_name",
            response: repositories,
            run: { client, _ in
                try await client.repositories(of: "ash", sort: .name, perPage: 5).map(\.name) == ["Moya"]
            }
        ),
        Call(
            name: "repositories without what is nil",
            line: "GET /users/ash/repos",
            response: repositories,
            run: { client, _ in try await client.repositories(of: "ash", sort: nil, perPage: nil).count == 1 }
        ),
        Call(
            name: "repository",
            line: "GET /repos/ash/Moya",
            response: .init(body: #"{"name":"Moya","private":true}"#),
            run: { client, _ in try await client.repository("ash", "Moya").private }
        ),
        Call(
            name: "branches",
            line: "GET /repos/ash/Moya/branches?protected=true",
            response: .init(body: #"[{"name":"main","protected":true}]"#),
            run: { client, _ in
                try await client.branches(of: "Moya", owner: "ash", protected: true).first?.name == "main"
            }
        ),
        Call(
            name: "compare",
            line: "GET /repos/ash/Moya/compare/main...feature%2Fx",
            response: .init(body: #"{"ahead_by":3}"#),
            run: { client, _ in
                try await client.compare(owner: "ash", repo: "Moya", base: "main", head: "feature/x").aheadBy == 3
            }
        ),
        Call(
            name: "contents",
            line: "GET /repos/ash/Moya/contents/a%2Fb%20c.txt",
            response: .init(body: "bytes"),
            run: { client, _ in
                try await client.contents(owner: "ash", repo: "Moya", path: "a/b c.txt") == Data("bytes".utf8)
            }
        ),
        Call(
            name: "languages",
            line: "GET /repos/ash/Moya/languages",
            response: .init(body: #"{"Swift":1}"#),
            run: { client, _ in try await client.languages(owner: "ash", repo: "Moya") == ["Swift": 1] }
        ),
        Call(
            name: "search",
            line: "GET /search/repositories?page=2&q=a%26b&type=public",
            response: .init(body: #"{"items":[{"name":"Moya","private":false}]}"#),
            run: { client, _ in try await client.search("a&b", page: 2).map(\.name) == ["Moya"] }
        ),
        Call(
            name: "count",
            line: "GET /search/count?topics%5B%5D=a&topics%5B%5D=b",
            response: .init(body: #"{"total":{"public":7}}"#),
            run: { client, _ in try await client.count(topics: ["a", "b"]) == 7 }
        ),
        Call(
            name: "gist",
            line: "GET /gists/00000000-0000-0000-0000-00000000000A",
            headers: ["If-None-Match": "tag"],
            response: .init(status: "204 No Content"),
            run: { client, _ in try await client.gist(id: id, ifNoneMatch: "tag") == nil }
        ),
        Call(
            name: "head",
            line: "HEAD /repos/ash/Moya",
            run: { client, _ in try await client.head(owner: "ash", repo: "Moya").statusCode == 200 }
        ),
        Call(
            name: "options",
            line: "OPTIONS /repos",
            run: { client, _ in try await client.options().statusCode == 200 }
        ),
        Call(
            name: "me",
            line: "GET /user",
            headers: ["Authorization": "Bearer secret"],
            response: user,
            run: { client, _ in try await client.me().login == "ash" }
        ),
        Call(
            name: "update",
            line: "PATCH /user",
            body: #"{"is_hireable":true}"#,
            headers: ["Authorization": "Bearer secret", "Content-Type": "application/json"],
            response: user,
            run: { client, _ in try await client.update(bio: nil, isHireable: true).login == "ash" }
        ),
        Call(
            name: "issue",
            line: "POST /repos/ash/Moya/issues?notify=1",
            body: #"{"title":"It works"}"#,
            headers: ["Authorization": "Bearer secret", "Content-Type": "application/json"],
            response: .init(status: "201 Created", body: #"{"number":1,"title":"It works"}"#),
            run: { client, _ in
                let issue = NewIssue(title: "It works")
                return try await client.issue(owner: "ash", repo: "Moya", issue: issue, notify: true).number == 1
            }
        ),
        Call(
            name: "star",
            line: "PUT /user/starred/ash/Moya",
            body: "",
            headers: ["Authorization": "Bearer secret"],
            response: .init(status: "204 No Content"),
            run: { client, _ in
                try await client.star("ash", "Moya")
                return true
            }
        ),
        Call(
            name: "unstar",
            line: "DELETE /user/starred/ash/Moya",
            response: .init(status: "204 No Content"),
            run: { client, _ in
                try await client.unstar("ash", "Moya")
                return true
            }
        ),
        Call(
            name: "removeLabels",
            line: "DELETE /repos/ash/Moya/labels?names%5B%5D=a",
            body: "",
            run: { client, _ in
                try await client.removeLabels(owner: "ash", repo: "Moya", names: ["a"])
                return true
            }
        ),
        Call(
            name: "authorize",
            line: "POST /authorizations",
            body: #"{"scopes":["repo"]}"#,
            headers: ["Authorization": "Basic secret", "X-GitHub-OTP": "123456"],
            response: .init(body: #"{"token":"t"}"#),
            run: { client, _ in try await client.authorize(scopes: ["repo"], note: nil, code: "123456").token == "t"
            }
        ),
        Call(
            name: "purge",
            line: "PURGE /cache/a%2Fb",
            headers: ["Authorization": "token secret"],
            response: .init(status: "404 Not Found"),
            run: { client, _ in
                // A status that the method accepts is not an error.
                try await client.purge(key: "a/b")
                return true
            }
        ),
        Call(
            name: "token",
            line: "POST /login/oauth/access_token",
            body: "client_id=me&device_code=a%20b",
            headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
            response: .init(body: #"{"token":"t"}"#),
            run: { client, _ in try await client.token(id: "me", deviceCode: "a b").token == "t" }
        ),
        Call(
            name: "render",
            line: "POST /markdown",
            body: "# hi",
            headers: ["Content-Type": "text/plain"],
            response: .init(type: "text/html", body: "<h1>hi</h1>"),
            run: { client, _ in try await client.render(markdown: Data("# hi".utf8)) == "<h1>hi</h1>" }
        ),
        Call(
            name: "upload",
            line: "POST /upload",
            response: .init(body: #"{"bytes":7}"#),
            run: { client, file in try await client.upload(file: file, caption: "c", isPublic: nil).bytes == 7 }
        ),
        Call(
            name: "putAsset",
            line: "PUT /assets/a.bin",
            body: "content",
            response: .init(body: #"{"bytes":7}"#),
            run: { client, file in try await client.putAsset(name: "a.bin", file: file).bytes == 7 }
        ),
        Call(
            name: "viewer",
            line: "POST /graphql",
            response: .init(body: #"{"data":{"viewer":{"login":"ash"}}}"#),
            run: { client, _ in try await client.viewer(query: "{}", variables: ["a": "b"]).login == "ash" }
        ),
        Call(
            name: "archive",
            line: "GET /archive/7",
            response: .init(type: "application/zip", body: "zip"),
            run: { client, file in
                try await client.archive(id: 7) { _, _ in (file, [.removePreviousFile]) }
                return try Data(contentsOf: file) == Data("zip".utf8)
            }
        ),
        Call(
            name: "asset",
            line: "GET /assets/7?raw=1",
            response: .init(type: "image/png", body: "png"),
            run: { client, file in
                let there = file.deletingLastPathComponent().appendingPathComponent("there.png")
                let response = try await client.asset(id: 7, to: there)
                let isThere = try Data(contentsOf: there) == Data("png".utf8)
                return isThere && response.statusCode == 200
            }
        ),
        Call(
            name: "events",
            line: "GET /events",
            headers: ["Accept": "text/event-stream"],
            response: .init(type: "text/event-stream", body: "id: 1\ndata: a\n\nid: 2\ndata: b\n\n"),
            run: { client, _ in
                var data: [String] = []
                for try await event in try await client.events() {
                    data.append(event.data)
                    if data.count == 2 { break }
                }
                return data == ["a", "b"]
            }
        ),
        Call(
            name: "log",
            line: "GET /log?since=1970-01-01T00%3A00%3A00Z",
            response: .init(type: "text/plain", body: "a\nb"),
            run: { client, _ in
                var lines: [String] = []
                for try await line in try await client.log(since: Date(timeIntervalSince1970: 0)) {
                    lines.append(line)
                }
                return lines == ["a", "b"]
            }
        ),
        Call(
            name: "export",
            line: "POST /export",
            body: #"{"format":"pushed"}"#,
            response: .init(type: "text/plain", body: "bytes"),
            run: { client, _ in
                var data = Data()
                for try await chunk in try await client.export(format: .pushed) { data += chunk }
                return data == Data("bytes".utf8)
            }
        ),
    ]
}
#endif
