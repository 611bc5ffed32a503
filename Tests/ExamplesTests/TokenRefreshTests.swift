import Foundation
import Moya
import TestServers
import Testing

@testable import token_refresh

@Suite("The token refresh, a program for an earlier version of Moya, works")
struct TokenRefreshTests {
    private struct Server: TargetType {
        let baseURL: URL
        var path: String { return "inbox" }
        var method: Moya.Method { return .get }
        var task: Moya.Task { return .requestPlain }
        var headers: [String: String]? { return nil }
        var validationType: ValidationType { return .successCodes }
    }

    /// Starts a server that responds with 200 to the token `new`, and otherwise with 401.
    private func server() async throws -> ReactingServer {
        return try await ReactingServer { request in
            request.head["Authorization"] == "Bearer new" ? .respond(200) : .respond(401)
        }
    }

    @Test("a request with an old token is sent again with a new token, which later requests use")
    func refresh() async throws {
        let server = try await server()
        let interceptor = TokenInterceptor(token: "old") { $0(.success("new")) }
        let provider = MoyaProvider<Server>(session: Session(interceptor: interceptor))
        for _ in 0..<2 {
            #expect(try await provider.request(Server(baseURL: server.url())).mapString() == "ok")
        }
        #expect(
            server.requests.map { $0.head["Authorization"] } == ["Bearer old", "Bearer new", "Bearer new"]
        )
        await server.shutDown()
    }

    @Test("a request fails with the server's status when the new token is refused")
    func refused() async throws {
        let server = try await server()
        let interceptor = TokenInterceptor(token: "old") { $0(.success("wrong")) }
        let provider = MoyaProvider<Server>(session: Session(interceptor: interceptor))
        do {
            _ = try await provider.request(Server(baseURL: server.url()))
            Issue.record("The request has a response.")
        } catch {
            #expect(error.response?.statusCode == 401)
        }
        #expect(server.requests.map { $0.head["Authorization"] } == ["Bearer old", "Bearer wrong"])
        await server.shutDown()
    }

    @Test("a request fails with the refresh's error when the token refresh fails")
    func failed() async throws {
        struct LoggedOut: Error {}
        let server = try await server()
        let interceptor = TokenInterceptor(token: "old") { $0(.failure(LoggedOut())) }
        let provider = MoyaProvider<Server>(session: Session(interceptor: interceptor))
        do {
            _ = try await provider.request(Server(baseURL: server.url()))
            Issue.record("The request has a response.")
        } catch MoyaError.underlying(let error, let response) {
            #expect(error is LoggedOut && response?.statusCode == 401)
        }
        #expect(server.count == 1)
        await server.shutDown()
    }
}
