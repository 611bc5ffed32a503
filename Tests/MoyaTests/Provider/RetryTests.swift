import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A request is retried if an interceptor decides so", .timeLimit(.minutes(5)))
struct RetryTests {
    typealias Provider = MoyaProvider<SomeTarget>

    /// Records its calls and retries a request a number of times.
    private struct Retrier: RequestInterceptor {
        let calls: Recorder<String>
        var name = "session"
        var times = 0

        func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
            calls.add("\(name) adapts \(state.retryCount)")
            var request = urlRequest
            request.setValue("\(state.retryCount)", forHTTPHeaderField: "Try")
            return request
        }

        func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
            let prepared = attempt.request.value(forHTTPHeaderField: "X") ?? "none"
            calls.add("\(name) is asked \(attempt.retryCount) \(prepared) \(attempt.error.map { type(of: $0) } as Any)")
            return attempt.retryCount < times ? .retry : .doNotRetry
        }
    }

    private func provider(
        _ calls: Recorder<String>,
        session: Retrier,
        own: Retrier? = nil,
        status: @escaping @Sendable (Int) -> Int = { _ in 200 }
    ) -> Provider {
        let count = Recorder<Void>()
        let transport = FakeTransport { request in
            calls.add("network \(request.headers[HTTPField.Name("Try") ?? .accept] ?? "")")
            count.add(())
            return TransportResponse(status: status(count.values.count - 1))
        }
        let session = Session(transport: transport, interceptor: session)
        let plugins = [RecordingPlugin(calls: calls, header: ("X", "p"))]
        guard let own else { return Provider(session: session, plugins: plugins) }
        return Provider(session: session, plugins: plugins, interceptor: own)
    }

    @Test(
        "facts 34, 35: session, provider and plugins prepare each attempt in this order, and the hooks of results run once",
        arguments: EntryPoint.allCases
    )
    func order(entryPoint: EntryPoint) async {
        let calls = Recorder<String>()
        let provider = provider(
            calls,
            session: Retrier(calls: calls, times: 1),
            own: Retrier(calls: calls, name: "own"),
            status: { $0 == 0 ? 503 : 200 }
        )
        let result = await entryPoint.request(SomeTarget(), from: provider)
        #expect(result.response?.statusCode == 200)
        #expect(
            calls.values == [
                "session adapts 0", "own adapts 0", "prepare", "willSend", "network 0",
                "session is asked 0 p nil",
                "session adapts 1", "own adapts 1", "prepare", "willSend", "network 1",
                "session is asked 1 p nil", "own is asked 1 p nil",
                "didReceive", "process",
            ]
        )
    }

    @Test(
        "a status that the target does not accept is an error for retriers, and the result has the last status",
        arguments: EntryPoint.allCases
    )
    func validation(entryPoint: EntryPoint) async {
        let calls = Recorder<String>()
        let provider = provider(calls, session: Retrier(calls: calls, times: 1), status: { _ in 500 })
        let result = await entryPoint.request(SomeTarget(validationType: .successCodes), from: provider)
        #expect(
            calls.values.filter { $0.contains("asked") }.map { $0.suffix(32) }.allSatisfy {
                $0.contains("Unacceptable")
            }
        )
        #expect(calls.values.filter { $0.hasPrefix("network") } == ["network 0", "network 1"])
        guard case .failure(.underlying(MoyaError.statusCode(let response), _)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(response.statusCode == 500)
    }

    @Test(
        "a retrier's error replaces the outcome and keeps the response",
        arguments: EntryPoint.allCases
    )
    func retriersError(entryPoint: EntryPoint) async {
        struct Mistake: Error, Equatable {}
        struct Refuser: RequestInterceptor {
            func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
                .doNotRetryWithError(Mistake())
            }
        }
        let provider = Provider(
            session: Session(transport: FakeTransport.body("expired", status: 401), interceptor: Refuser())
        )
        for validationType in [ValidationType.none, .successCodes] {
            let result = await entryPoint.request(SomeTarget(validationType: validationType), from: provider)
            guard case .failure(.underlying(let error, let response)) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(error as? Mistake == Mistake())
            #expect(response?.statusCode == 401)
            #expect((try? response?.mapString()) == "expired")
        }
    }

    @Test("an adapter's error fails the provider's request", arguments: EntryPoint.allCases)
    func adapterError(entryPoint: EntryPoint) async {
        struct Mistake: Error, Equatable {}
        struct Refuser: RequestInterceptor {
            func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
                throw Mistake()
            }
        }
        let calls = Recorder<String>()
        let provider = Provider(
            session: Session(transport: FakeTransport.body(""), interceptor: Refuser()),
            plugins: [RecordingPlugin(calls: calls)]
        )
        let result = await entryPoint.request(SomeTarget(), from: provider)
        #expect(result.underlying as? Mistake == Mistake())
        #expect(calls.values == ["didReceive", "process"])
    }

    @Test("fact 124: the token closure of a plugin is called for each attempt", arguments: EntryPoint.allCases)
    func token(entryPoint: EntryPoint) async {
        struct Authorized: TargetType, AccessTokenAuthorizable {
            var baseURL: URL { URL(string: "http://127.0.0.1:9") ?? URL(fileURLWithPath: "/") }
            var path: String { "" }
            var method: Moya.Method { .get }
            var task: HTTPTask { .requestPlain }
            var headers: [String: String]? { nil }
            var authorizationType: AuthorizationType? { .bearer }
        }
        let asked = Recorder<Void>()
        let seen = Recorder<String?>()
        let transport = FakeTransport { request in
            seen.add(request.headers[.authorization])
            return TransportResponse(status: 401)
        }
        let provider = MoyaProvider<Authorized>(
            session: Session(transport: transport, interceptor: Retrier(calls: Recorder(), times: 1)),
            plugins: [
                AccessTokenPlugin { _ in
                    asked.add(())
                    return "\(asked.values.count)"
                }
            ]
        )
        _ = await entryPoint.request(Authorized(), from: provider)
        #expect(seen.values == ["Bearer 1", "Bearer 2"])
    }

    @Test("a body that is not repeatable is sent once, without a retry")
    func stream() async {
        let calls = Recorder<String>()
        let provider = MoyaProvider<TaskTarget>(
            session: Session(
                transport: FakeTransport { _ in
                    calls.add("network")
                    return TransportResponse(status: 503)
                },
                interceptor: Retrier(calls: Recorder(), times: 3)
            )
        )
        let body = HTTPBody.stream(InputStream(data: Data("text".utf8)))
        let target = TaskTarget(method: .put, task: .uploadBody(body, contentType: "text/plain"))
        let response = await EntryPoint.async.request(target, from: provider).response
        #expect(response?.statusCode == 503)
        #expect(calls.values == ["network"])
    }

    @Test("a stub is neither adapted nor retried", arguments: EntryPoint.allCases)
    func stub(entryPoint: EntryPoint) async {
        let calls = Recorder<String>()
        let provider = Provider(
            endpointClosure: {
                Endpoint(
                    url: URL(target: $0).absoluteString,
                    sampleResponseClosure: { .networkResponse(503, Data()) },
                    method: .get,
                    task: .requestPlain,
                    httpHeaderFields: nil
                )
            },
            stubClosure: Provider.immediatelyStub,
            session: Session(transport: FakeTransport.body(""), interceptor: Retrier(calls: calls, times: 3))
        )
        let response = await entryPoint.request(SomeTarget(), from: provider).response
        #expect(response?.statusCode == 503)
        #expect(calls.values.isEmpty)
    }
}
