#if NIO
    import Foundation
    import Moya
    import Testing

    @testable import moya_cli

    @Suite("The demo's server", .timeLimit(.minutes(5)))
    struct DemoServerTests {
        @Test(
            "an issue that is none is refused with 422",
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

        @Test("an issue that is not said to be JSON is refused with 422")
        func issueAsText() async throws {
            try await DemoServer.run { server in
                let response = try await post(#"{"title":"a","body":"b"}"#, contentType: "text/plain", to: server)
                #expect(response.statusCode == 422)
            }
        }

        @Test(
            "a query that is left out changes nothing",
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

        @Test("protected must be a Boolean")
        func badQuery() async throws {
            try await DemoServer.run { server in
                let response = try await send("GET", "repos/Moya/branches?protected=1", to: server)
                #expect(response.statusCode == 422)
            }
        }

        @Test("what is not there is 404")
        func notFound() async throws {
            try await DemoServer.run { server in
                let response = try await send("GET", "nowhere", to: server)
                #expect(response.statusCode == 404)
            }
        }

        @Test("a slow request is seen to come, and to be left")
        func slow() async throws {
            try await DemoServer.run { server in
                let request = Task { try await send("GET", "slow", to: server) }
                #expect(await server.slowRequests.wait(for: .arrived))
                request.cancel()
                #expect(await server.slowRequests.wait(for: .left))
                await #expect(throws: URLError.self) { try await request.value }
            }
        }

        @Test("a slow request does not keep the server")
        func slowAtShutdown() async throws {
            let request = try await DemoServer.run { server in
                let request = Task { try await send("GET", "slow", to: server) }
                #expect(await server.slowRequests.wait(for: .arrived))
                return request
            }
            // The server is gone, so the request has ended somehow; the suite's time limit says that it has.
            _ = await request.result
        }

        @Test("what the function throws comes through, when the server has stopped")
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
