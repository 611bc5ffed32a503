import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("The request method decides about reconnections (RFC 9110, section 9.2.1)")
struct EventRepetitionTests {
    private static let repeating = ReconnectionPolicy(repeatsUnsafeRequests: true)

    private func target(_ method: Moya.Method, _ validation: ValidationType = .none) -> TaskTarget {
        TaskTarget(method: method, task: .requestPlain, validationType: validation)
    }

    @Test(
        "an event request with an unsafe method is sent once, and its events end with the response",
        arguments: [Moya.Method.post, .put, .patch, .delete, HTTPMethod(rawValue: "SEARCH")]
    )
    func unsafe(_ method: Moya.Method) async {
        let server = ScriptedServer([.events(["id: 1\ndata: a\n\n", "data: b\n\n"]), .events(["data: again\n\n"])])
        let (events, error) = await server.events(of: target(method), waits: [])
        #expect(events.map(\.data) == ["a", "b"] && error == nil)
        #expect(server.requests.values.map(\.method) == [method])
    }

    @Test(
        "an event request with a safe method is sent again",
        arguments: [Moya.Method.get, .head, .options, .trace, .query]
    )
    func safe(_ method: Moya.Method) async {
        let server = ScriptedServer([.events(["data: a\n\n"]), .response(204, type: nil)])
        let (events, error) = await server.events(of: target(method), waits: [.seconds(3)])
        #expect(events.map(\.data) == ["a"] && error == nil)
        #expect(server.requests.values.map(\.method) == [method, method])
    }

    @Test("an unsafe event request with repeatsUnsafeRequests is sent again after an end, a loss or a server error")
    func option() async {
        var policy = Self.repeating
        policy.reconnectsAfterServerErrors = true
        let server = ScriptedServer([
            .events(["id: 1\ndata: a\n\n"]), .events(["data: b\n\n"], then: .error(.networkConnectionLost)),
            .response(503, type: nil), .error(.cannotConnectToHost), .response(204, type: nil),
        ])
        let waits = Array(repeating: Duration.seconds(3), count: 4)
        let (events, error) = await server.events(of: target(.post), reconnection: policy, waits: waits)
        #expect(events.map(\.data) == ["a", "b"] && error == nil)
        #expect(server.requests.values.map(\.method) == Array(repeating: .post, count: 5))
        #expect(server.sent("Last-Event-ID") == [nil, "1", "1", "1", "1"])
    }

    @Test(
        "the error of an unsafe event request is thrown unchanged",
        arguments: [URLError.Code.networkConnectionLost, .timedOut, .cannotConnectToHost]
    )
    func failure(_ code: URLError.Code) async {
        let broken = ScriptedServer([.events(["data: a\n\n"], then: .error(code)), .events(["data: again\n\n"])])
        let (events, error) = await broken.events(of: target(.post), waits: [])
        #expect(events.map(\.data) == ["a"])
        #expect(error?.urlError?.code == code)
        #expect(broken.requests.values.count == 1)
        let refusing = ScriptedServer([.error(code), .events(["data: again\n\n"])])
        let refused = await refusing.events(of: target(.post), waits: [])
        #expect(refused.error?.urlError?.code == code)
        #expect(refusing.requests.values.count == 1)
    }

    @Test(
        "a server error ends an unsafe event request even with reconnectsAfterServerErrors",
        arguments: [ValidationType.none, .successCodes]
    )
    func serverError(_ validation: ValidationType) async {
        let server = ScriptedServer([.response(503, type: nil), .events(["data: again\n\n"])])
        let policy = ReconnectionPolicy(reconnectsAfterServerErrors: true)
        let (events, error) = await server.events(of: target(.post, validation), reconnection: policy, waits: [])
        #expect(events.isEmpty && error?.statusCode == 503)
        #expect(server.requests.values.count == 1)
    }

    /// Sends every request with another method.
    private struct MethodPlugin: PluginType {
        let method: String

        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            var request = request
            request.httpMethod = method
            return request
        }
    }

    @Test(
        "the method that is sent, and not the target's method, decides about reconnections",
        arguments: [("GET", "POST"), ("POST", "GET")]
    )
    func sentMethod(_ method: String, _ sent: String) async throws {
        let target = target(Moya.Method(rawValue: method))
        let script: [ScriptedServer.Response] = [.events(["data: a\n\n"]), .response(500, type: nil)]
        let servers = [ScriptedServer(script), ScriptedServer(script)]
        let providers = [
            MoyaProvider<TaskTarget>(session: servers[0].session, plugins: [MethodPlugin(method: sent)]),
            MoyaProvider<TaskTarget>(
                requestClosure: { endpoint, done in
                    MoyaProvider<TaskTarget>.defaultRequestMapping(for: endpoint) { result in
                        done(
                            result.map { request in
                                var request = request
                                request.httpMethod = sent
                                return request
                            }
                        )
                    }
                },
                session: servers[1].session
            ),
        ]
        for (provider, server) in zip(providers, servers) {
            var iterator = provider.events(target, reconnection: ReconnectionPolicy(initialDelay: .zero))
                .makeAsyncIterator()
            #expect(try await iterator.next()?.data == "a")
            if sent == "POST" {
                #expect(try await iterator.next() == nil)
                #expect(server.requests.values.count == 1)
            } else {
                await #expect(throws: MoyaError.self) { try await iterator.next() }
                #expect(server.requests.values.count == 2)
            }
        }
    }
}
