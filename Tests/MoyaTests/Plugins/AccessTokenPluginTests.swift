import Foundation
import Moya
import TestSupport
import Testing

@Suite("AccessTokenPlugin adds a token to targets with an authorization type")
struct AccessTokenPluginTests {
    private struct Authorized: TargetType, AccessTokenAuthorizable {
        var authorizationType: AuthorizationType?
        var headers: [String: String]?
        var tag = ""
        var baseURL: URL { URL(string: "http://127.0.0.1:9") ?? URL(fileURLWithPath: "/") }
        var path: String { "/thing" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
    }

    /// Possible characters at a token's end, for example from a file.
    enum Break: String, CaseIterable, Sendable {
        case lineFeed = "\n"
        case lineBreakAndHeader = "\r\nX: y"
        case null = "\0"
    }

    private func request(_ headers: [String: String] = [:]) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://h/p")))
        request.httpMethod = "PUT"
        request.httpBody = Data("x".utf8)
        request.allHTTPHeaderFields = headers
        return request
    }

    static let types: [(AuthorizationType, String)] = [
        (.basic, "Basic tok"),
        (.bearer, "Bearer tok"),
        (.custom("Token"), "Token tok"),
        (.custom("bearer"), "bearer tok"),
        (.custom("X-Y z=\"1\","), "X-Y z=\"1\", tok"),
    ]

    @Test("fact 122: the Authorization header is the type's value, a space and the token", arguments: types)
    func header(type: AuthorizationType, expected: String) throws {
        let plugin = AccessTokenPlugin { _ in "tok" }
        let prepared = plugin.prepare(try request(["A": "b"]), target: Authorized(authorizationType: type))
        #expect(prepared.allHTTPHeaderFields == ["A": "b", "Authorization": expected])
        #expect(prepared.httpMethod == "PUT")
        #expect(prepared.httpBody == Data("x".utf8))
        #expect(prepared.url?.absoluteString == "http://h/p")
    }

    @Test(
        "fact 122: AccessTokenPlugin does not change the token",
        arguments: ["", "user:password", "a b", "ä", "dXNlcjpwYXNz=="]
    )
    func token(token: String) throws {
        let plugin = AccessTokenPlugin { _ in token }
        let prepared = plugin.prepare(try request(), target: Authorized(authorizationType: .basic))
        #expect(prepared.value(forHTTPHeaderField: "Authorization") == "Basic \(token)")
    }

    @Test(
        "fact 121: AccessTokenPlugin does not change a request without an authorization type, and does not call the closure"
    )
    func unchanged() throws {
        let asked = Recorder<Void>()
        let plugin = AccessTokenPlugin { _ in
            asked.add(())
            return "tok"
        }
        let targets: [any TargetType] = [
            Authorized(), SomeTarget(), MultiTarget(Authorized()), MultiTarget(SomeTarget()),
        ]
        for target in targets {
            for headers in [[:], ["Authorization": "Old"]] {
                let old = try request(headers)
                let prepared = plugin.prepare(old, target: target)
                #expect(prepared == old)
                #expect(prepared.allHTTPHeaderFields == headers)
            }
        }
        #expect(asked.values.isEmpty)
    }

    @Test(
        "fact 123: the token of AccessTokenPlugin replaces an existing Authorization in any spelling",
        arguments: ["Authorization", "authorization", "AUTHORIZATION"]
    )
    func replacement(name: String) throws {
        let plugin = AccessTokenPlugin { _ in "tok" }
        let prepared = plugin.prepare(
            try request([name: "Basic old"]),
            target: Authorized(authorizationType: .bearer)
        )
        #expect(prepared.value(forHTTPHeaderField: "Authorization") == "Bearer tok")
        #expect(prepared.allHTTPHeaderFields?.count == 1)
    }

    @Test("fact 123: a second call of prepare replaces the earlier token")
    func again() throws {
        let count = Recorder<Void>()
        let plugin = AccessTokenPlugin { _ in
            count.add(())
            return "tok\(count.values.count)"
        }
        let target = Authorized(authorizationType: .bearer)
        let prepared = plugin.prepare(plugin.prepare(try request(), target: target), target: target)
        #expect(prepared.value(forHTTPHeaderField: "Authorization") == "Bearer tok2")
    }

    @Test("fact 124: the token closure runs synchronously with the target, once for each prepare")
    func closure() throws {
        let asked = Recorder<String>()
        let thread = ObjectIdentifier(Thread.current)
        let plugin = AccessTokenPlugin { target in
            asked.add("\((target as? Authorized)?.tag ?? "?") \(ObjectIdentifier(Thread.current) == thread)")
            return "tok"
        }
        for tag in ["a", "b", "a"] {
            _ = plugin.prepare(try request(), target: Authorized(authorizationType: .bearer, tag: tag))
        }
        #expect(asked.values == ["a true", "b true", "a true"])
    }

    @Test("fact 120: the token closure gets a MultiTarget's inner target")
    func multiTarget() throws {
        let asked = Recorder<String>()
        let plugin = AccessTokenPlugin { target in
            asked.add((target as? Authorized)?.tag ?? "\(type(of: target))")
            return "tok"
        }
        let target = MultiTarget(Authorized(authorizationType: .custom("Inner"), tag: "inner"))
        let prepared = plugin.prepare(try request(), target: target)
        #expect(prepared.value(forHTTPHeaderField: "Authorization") == "Inner tok")
        #expect(asked.values == ["inner"])
    }

    @Test(
        "each request of a provider has a new token, which replaces the target's header",
        arguments: EntryPoint.allCases
    )
    func provider(entryPoint: EntryPoint) async {
        let sent = Recorder<String>()
        let count = Recorder<Void>()
        let provider = MoyaProvider<Authorized>(
            session: Session(
                FakeTransport { request in
                    let values = request.headers.filter { $0.name == .authorization }.map(\.value)
                    sent.add(values.joined(separator: "|"))
                    return TransportResponse(status: 200)
                }
            ),
            plugins: [
                AccessTokenPlugin { _ in
                    count.add(())
                    return "tok\(count.values.count)"
                }
            ]
        )
        let target = Authorized(authorizationType: .bearer, headers: ["Authorization": "Old"])
        for _ in 0..<2 { _ = await entryPoint.request(target, from: provider) }
        _ = await entryPoint.request(Authorized(headers: ["Authorization": "Old"]), from: provider)
        #expect(sent.values == ["Bearer tok1", "Bearer tok2", "Old"])
    }

    @Test(
        "a token of AccessTokenPlugin that would inject a header is refused, and the error does not show it",
        arguments: Break.allCases,
        EntryPoint.allCases
    )
    func brokenToken(end: Break, entryPoint: EntryPoint) async {
        let sent = Recorder<Void>()
        let provider = MoyaProvider<Authorized>(
            session: Session(
                FakeTransport { _ in
                    sent.add(())
                    return TransportResponse(status: 200)
                }
            ),
            plugins: [AccessTokenPlugin { _ in "5ecret\(end.rawValue)" }]
        )
        for headers in [nil, ["Authorization": "Old"]] {
            let target = Authorized(authorizationType: .bearer, headers: headers)
            let result = await entryPoint.request(target, from: provider)
            #expect(result.underlying as? RequestValidationError == .invalidHeaderValue(name: "Authorization"))
            #expect(!"\(result)".contains("5ecret"))
        }
        #expect(sent.values.isEmpty)
    }

    @Test("fact 99: authorization types are equal by case and payload")
    func equality() {
        let types: [AuthorizationType] = [.basic, .bearer, .custom("Basic"), .custom("Bearer"), .custom("")]
        for (index, type) in types.enumerated() {
            for (otherIndex, other) in types.enumerated() {
                #expect((type == other) == (index == otherIndex), "\(type) \(other)")
            }
        }
        #expect(AuthorizationType.custom("a") == .custom("a"))
        #expect(types.map(\.value) == ["Basic", "Bearer", "Basic", "Bearer", ""])
    }
}
