import Foundation
import Moya
import MoyaHTTP
import TestServers
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Basic credentials are sent without a challenge", .timeLimit(.minutes(5)))
struct BasicAuthenticationPluginTests {
    /// Returns the `Authorization` of three received requests: a request that is not redirected, a request that is
    /// redirected to another origin, and the redirected request at that origin.
    private func sent(
        _ plugin: BasicAuthenticationPlugin,
        headers: [String: String]? = nil
    ) async throws -> [String?] {
        let other = try await ReactingServer()
        let target = other.url("/other").absoluteString
        let server = try await ReactingServer { request in
            request.head.target == "/away" ? .respond(302, headers: ["Location: \(target)"]) : .respond(200)
        }
        let provider = MoyaProvider<SomeTarget>(plugins: [plugin])
        for path in ["/here", "/away"] {
            _ = try await provider.request(SomeTarget(baseURL: server.url("/"), path: path, headers: headers))
        }
        let received = server.requests + other.requests
        await server.shutDown()
        await other.shutDown()
        return received.map { $0.head["Authorization"] }
    }

    @Test("each request has the Basic credential in UTF-8, and another origin does not get it")
    func header() async throws {
        let value = "Basic " + Data("ash:p€:ss".utf8).base64EncodedString()
        let sent = try await sent(BasicAuthenticationPlugin(username: "ash", password: "p€:ss"))
        #expect(sent == [value, value, nil])
    }

    @Test("a target's Authorization stays, and a missing credential or a name with a colon adds none")
    func others() async throws {
        let plugin = BasicAuthenticationPlugin(username: "ash", password: "b")
        #expect(try await sent(plugin, headers: ["authorization": "Own"]) == ["Own", "Own", nil])
        #expect(try await sent(BasicAuthenticationPlugin { _ in nil }) == [nil, nil, nil])
        #expect(try await sent(BasicAuthenticationPlugin(username: "a:b", password: "c")) == [nil, nil, nil])
    }
}
