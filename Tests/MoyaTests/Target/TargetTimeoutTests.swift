import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

@Suite("A target can set a timeout")
struct TargetTimeoutTests {
    private struct Patient: TargetType {
        var timeoutInterval: TimeInterval?
        var baseURL = URL(string: "http://h:1") ?? URL(fileURLWithPath: "/")
        var path = ""
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    private struct Typed: TypedTargetType {
        typealias Output = String
        var baseURL: URL { URL(string: "http://h:1") ?? URL(fileURLWithPath: "/") }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
        var timeoutInterval: TimeInterval? { 7 }
    }

    /// A target as in applications for Moya 15, whose request closure reads a timeout.
    private struct Own: TargetType {
        var baseURL: URL { URL(string: "http://h:1") ?? URL(fileURLWithPath: "/") }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
        var timeoutInterval: TimeInterval { 9 }
    }

    private func endpoint<Target: TargetType>(_ target: Target) -> Endpoint {
        MoyaProvider<Target>.defaultEndpointMapping(for: target)
    }

    @Test("a target's timeout is copied to the request, through wrappers and typed targets")
    func request() throws {
        #expect(try endpoint(Patient(timeoutInterval: 7)).urlRequest().timeoutInterval == 7)
        #expect(try endpoint(MultiTarget(Patient(timeoutInterval: 7))).urlRequest().timeoutInterval == 7)
        #expect(try endpoint(MultiTarget(MultiTarget(Typed()))).urlRequest().timeoutInterval == 7)
        #expect(try endpoint(Typed()).urlRequest().timeoutInterval == 7)
    }

    @Test("the session's timeout is used if the target has none")
    func none() throws {
        let usual = URLRequest(url: Patient().baseURL).timeoutInterval
        #expect(SomeTarget(tag: "a").timeoutInterval == nil)
        #expect(try endpoint(SomeTarget(tag: "a")).urlRequest().timeoutInterval == usual)
        #expect(try endpoint(MultiTarget(SomeTarget(tag: "a"))).urlRequest().timeoutInterval == usual)
    }

    @Test("a target's timeout stays in copies of the endpoint and for another server")
    func copies() throws {
        let endpoint = endpoint(Patient(timeoutInterval: 7))
        #expect(endpoint.timeoutInterval == 7)
        #expect(endpoint.adding(newHTTPHeaderFields: ["a": "b"]).timeoutInterval == 7)
        #expect(endpoint.replacing(task: .requestData(Data())).timeoutInterval == 7)
        let other = MoyaProvider<Patient>.endpoints(at: URL(string: "http://other"))
        #expect(try other(Patient(timeoutInterval: 7)).urlRequest().timeoutInterval == 7)
    }

    @Test("an endpoint closure may set another timeout, and the request closure may replace it")
    func closures() async throws {
        let provider = MoyaProvider<Patient>(
            endpointClosure: { target in
                Endpoint(
                    url: URL(target: target).absoluteString,
                    sampleResponseClosure: { .networkResponse(200, Data()) },
                    method: target.method,
                    task: target.task,
                    timeoutInterval: target.path.isEmpty ? 3 : target.timeoutInterval
                )
            },
            requestClosure: { endpoint, done in
                MoyaProvider<Patient>.defaultRequestMapping(for: endpoint) { result in
                    done(
                        result.map { request in
                            var request = request
                            if request.url?.path == "/late" { request.timeoutInterval = 5 }
                            return request
                        }
                    )
                }
            },
            stubClosure: MoyaProvider.immediatelyStub
        )
        #expect(try await provider.request(Patient(timeoutInterval: 7)).request?.timeoutInterval == 3)
        #expect(try await provider.request(Patient(timeoutInterval: 7, path: "/a")).request?.timeoutInterval == 7)
        #expect(try await provider.request(Patient(timeoutInterval: 7, path: "/late")).request?.timeoutInterval == 5)
    }

    @Test("the timeout of a target may be declared as a non-optional")
    func own() throws {
        let target = Own()
        #expect(target.timeoutInterval == 9)
        let optional: TimeInterval? = target.timeoutInterval
        #expect(optional == 9)
        #expect(try endpoint(target).urlRequest().timeoutInterval == 9)
    }

    @Test("the session respects a target's timeout, even if it equals Foundation's default", arguments: [0.5, 60, 90])
    func session(seconds: TimeInterval) async throws {
        let seen = Recorder<Duration>()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 10
        let transport = FakeTransport { request in
            seen.add(request.idleTimeout)
            return TransportResponse(status: 200, body: .complete(Data()))
        }
        let provider = MoyaProvider<Patient>(session: Session(transport: transport, configuration: configuration))
        _ = try await provider.request(Patient(timeoutInterval: seconds))
        _ = try await provider.request(Patient())
        #expect(seen.values.map { ($0 / .seconds(1) * 1000).rounded() } == [seconds * 1000, 10_000])
    }

    @Test("a target's timeout ends a request to a server that does not respond")
    func server() async throws {
        let server = try await MisbehavingServer()
        let provider = MoyaProvider<Patient>()
        let target = Patient(timeoutInterval: 0.3, baseURL: server.url(.neverResponds))
        let error = await #expect(throws: MoyaError.self) { try await provider.request(target) }
        #expect(error?.isTimeout == true, "\(String(describing: error))")
        try await server.shutDown()
    }
}
