import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("AccessTokenInterceptor adds a token of an async source", .timeLimit(.minutes(5)))
struct AccessTokenInterceptorTests {
    private struct Authorized: TargetType, AccessTokenAuthorizable {
        var authorizationType: AuthorizationType?
        var headers: [String: String]?
        var tag = ""
        var baseURL: URL { URL(string: "http://127.0.0.1:9") ?? URL(fileURLWithPath: "/") }
        var path: String { "/thing" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
    }

    private struct Repeating: RequestInterceptor {
        let times: Int
        func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
            attempt.retryCount < times ? .retry : .doNotRetry
        }
    }

    private struct Mistake: Error, Equatable {}

    /// Returns a new token each time, after a suspension.
    private actor Source {
        private(set) var asked: [String] = []

        func token(_ target: any TargetType) async -> String {
            await Task.yield()
            asked.append((target as? Authorized)?.tag ?? "\(type(of: target))")
            return "tok\(asked.count)"
        }
    }

    private func noting(_ sent: Recorder<String?>) -> FakeTransport {
        FakeTransport { request in
            sent.add(request.headers[.authorization])
            return TransportResponse(status: 200)
        }
    }

    @Test(
        "each request has a new token from the async source, which replaces the target's header",
        arguments: EntryPoint.allCases
    )
    func token(entryPoint: EntryPoint) async {
        let source = Source()
        let sent = Recorder<String?>()
        let provider = MoyaProvider<Authorized>(
            session: Session(noting(sent)),
            interceptor: AccessTokenInterceptor { await source.token($0) }
        )
        let old = ["authorization": "Old"]
        _ = await entryPoint.request(Authorized(authorizationType: .bearer, headers: old, tag: "a"), from: provider)
        _ = await entryPoint.request(Authorized(authorizationType: .custom("X"), tag: "b"), from: provider)
        _ = await entryPoint.request(Authorized(headers: old), from: provider)
        #expect(sent.values == ["Bearer tok1", "X tok2", "Old"])
        #expect(await source.asked == ["a", "b"])
    }

    @Test("the token source gets a MultiTarget's inner target, and a streamed request has its token")
    func multiTarget() async throws {
        let source = Source()
        let sent = Recorder<String?>()
        let provider = MoyaProvider<MultiTarget>(
            session: Session(noting(sent)),
            interceptor: AccessTokenInterceptor { await source.token($0) }
        )
        let target = MultiTarget(Authorized(authorizationType: .bearer, tag: "inner"))
        _ = await EntryPoint.async.request(target, from: provider)
        _ = try await provider.stream(target)
        _ = await EntryPoint.async.request(MultiTarget(SomeTarget()), from: provider)
        #expect(sent.values == ["Bearer tok1", "Bearer tok2", nil])
        #expect(await source.asked == ["inner", "inner"])
    }

    @Test(
        "the token source is called for each attempt, even if the interceptor is one of several",
        arguments: EntryPoint.allCases
    )
    func retry(entryPoint: EntryPoint) async {
        let source = Source()
        let sent = Recorder<String?>()
        let interceptor = Interceptor(
            adapters: [AccessTokenInterceptor { await source.token($0) }],
            retriers: [Repeating(times: 1)]
        )
        let provider = MoyaProvider<Authorized>(session: Session(transport: noting(sent), interceptor: interceptor))
        _ = await entryPoint.request(Authorized(authorizationType: .bearer), from: provider)
        #expect(sent.values == ["Bearer tok1", "Bearer tok2"])
    }

    @Test("the token source's error fails the request, and nothing is sent", arguments: EntryPoint.allCases)
    func failure(entryPoint: EntryPoint) async {
        let sent = Recorder<String?>()
        let provider = MoyaProvider<Authorized>(
            session: Session(noting(sent)),
            interceptor: AccessTokenInterceptor { _ in throw Mistake() }
        )
        let result = await entryPoint.request(Authorized(authorizationType: .bearer), from: provider)
        #expect(result.underlying as? Mistake == Mistake())
        #expect(sent.values.isEmpty)
    }

    @Test("a token of the async source that would inject a header is refused", arguments: EntryPoint.allCases)
    func brokenToken(entryPoint: EntryPoint) async {
        let provider = MoyaProvider<Authorized>(
            session: Session(noting(Recorder())),
            interceptor: AccessTokenInterceptor { _ in "5ecret\r\nX: y" }
        )
        let result = await entryPoint.request(Authorized(authorizationType: .bearer), from: provider)
        #expect(result.underlying as? RequestValidationError == .invalidHeaderValue(name: "Authorization"))
        #expect(!"\(result)".contains("5ecret"))
    }

    @Test("a request cancelled while it waits for its token is not sent", arguments: EntryPoint.allCases)
    func cancellation(entryPoint: EntryPoint) async {
        let sent = Recorder<String?>()
        let asked = Promise<Void>()
        let provider = MoyaProvider<Authorized>(
            session: Session(noting(sent)),
            interceptor: AccessTokenInterceptor { _ in
                asked.fulfill(())
                try await Task.sleep(for: .seconds(3_600))
                return ""
            }
        )
        let task = Task { await entryPoint.request(Authorized(authorizationType: .bearer), from: provider) }
        await asked.wait()
        task.cancel()
        #expect(await task.value.response == nil)
        #expect(sent.values.isEmpty)
    }

    @Test("the token source may use the same session, which sends requests without a target unchanged")
    func sameSession() async throws {
        let sent = Recorder<String?>()
        let url = try #require(URL(string: "http://127.0.0.1:9/token"))
        let session = Promise<Session>()
        session.fulfill(
            Session(
                transport: noting(sent),
                interceptor: AccessTokenInterceptor { _ in
                    _ = try await session.wait().data(for: URLRequest(url: url))
                    return "tok"
                }
            )
        )
        let provider = MoyaProvider<Authorized>(session: await session.wait())
        let result = await EntryPoint.async.request(Authorized(authorizationType: .bearer), from: provider)
        #expect(result.response?.statusCode == 200)
        #expect(sent.values == [nil, "Bearer tok"])
    }

    @Test("a stub does not call the token source")
    func stub() async {
        let provider = MoyaProvider<Authorized>(
            stubClosure: MoyaProvider.immediatelyStub,
            interceptor: AccessTokenInterceptor { _ in
                Issue.record("asked")
                return ""
            }
        )
        _ = await EntryPoint.async.request(Authorized(authorizationType: .bearer), from: provider)
    }
}
