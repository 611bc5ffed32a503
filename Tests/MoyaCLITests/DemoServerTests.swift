#if NIO
import Foundation
import Moya
import Testing

@testable import moya_cli

@Suite("The demo's server responds as the demo expects", .timeLimit(.minutes(5)))
struct DemoServerTests {
    @Test(
        "the demo's server responds with 422 to an invalid issue",
        arguments: [
            "", "no JSON", "[]", #"{"title":"no body"}"#, #"{"title":"","body":"no title"}"#,
            #"{"title":1,"body":"no text"}"#,
        ]
    )
    func badIssue(_ body: String) async throws {
        try await DemoServer.run { server in
            let response = try await post(body, contentType: "application/json", to: server)
            #expect(response.statusCode == 422)
            #expect(try !JSONDecoder().decode(Problem.self, from: response.data).message.isEmpty)
        }
    }

    @Test("the demo's server responds with 422 to an issue without the JSON content type")
    func issueAsText() async throws {
        try await DemoServer.run { server in
            let response = try await post(#"{"title":"a","body":"b"}"#, contentType: "text/plain", to: server)
            #expect(response.statusCode == 422)
        }
    }

    @Test(
        "the demo's server sorts and filters issues by the query, and returns every issue without a query",
        arguments: [
            ("users/ashfurrow/repos", ["Aerodramus", "Eidolon", "Moya"]),
            ("users/ashfurrow/repos?sort=pushed", ["Moya", "Aerodramus", "Eidolon"]),
            ("repos/Moya/branches", ["development", "master", "release"]),
            ("repos/Moya/branches?protected=true", ["master", "release"]),
            ("repos/Moya/branches?protected=false", ["development"]),
        ]
    )
    func query(_ path: String, gives names: [String]) async throws {
        try await DemoServer.run { server in
            let response = try await send("GET", path, to: server)
            #expect(response.statusCode == 200)
            let objects = try JSONSerialization.jsonObject(with: response.data) as? [[String: Any]]
            #expect(objects?.map { $0["name"] as? String } == names)
        }
    }

    @Test("the demo's server responds with 422 if `protected` is not a Boolean")
    func badQuery() async throws {
        try await DemoServer.run { server in
            let response = try await send("GET", "repos/Moya/branches?protected=1", to: server)
            #expect(response.statusCode == 422)
        }
    }

    @Test("the demo's server returns 404 for an unknown path")
    func notFound() async throws {
        try await DemoServer.run { server in
            let response = try await send("GET", "nowhere", to: server)
            #expect(response.statusCode == 404)
        }
    }

    @Test("the demo's server records the arrival and the cancellation of a slow request")
    func slow() async throws {
        try await DemoServer.run { server in
            let request = Task { try await send("GET", "slow", to: server) }
            #expect(await server.slowRequests.wait(for: .arrived))
            request.cancel()
            #expect(await server.slowRequests.wait(for: .left))
            await #expect(throws: URLError.self) { try await request.value }
        }
    }

    @Test("the demo's server stops while a slow request is running")
    func slowAtShutdown() async throws {
        let request = try await DemoServer.run { server in
            let request = Task { try await send("GET", "slow", to: server) }
            #expect(await server.slowRequests.wait(for: .arrived))
            return request
        }
        // The server has stopped, so the request must end; otherwise the suite's time limit fails the test.
        _ = await request.result
    }

    @Test("the function that runs the demo's server throws the error of its closure")
    func throwing() async throws {
        struct Mistake: Error {}
        await #expect(throws: Mistake.self) {
            try await DemoServer.run { _ in throw Mistake() }
        }
    }

    private func post(
        _ body: String,
        contentType: String,
        to server: DemoServer
    ) async throws -> SessionResponse {
        try await send("POST", "repos/Moya/Moya/issues", to: server) { request in
            request.setValue(contentType, forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(body.utf8)
        }
    }

    private func send(
        _ method: String,
        _ path: String,
        to server: DemoServer,
        change: (inout URLRequest) -> Void = { _ in }
    ) async throws -> SessionResponse {
        var request = URLRequest(url: try #require(URL(string: "\(server.baseURL.absoluteString)/\(path)")))
        request.httpMethod = method
        change(&request)
        return try await Session.default.data(for: request)
    }
}
#endif
