import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("Equal requests in flight share an exchange and can be cancelled separately", .timeLimit(.minutes(5)))
struct InflightRulesTests {
    typealias Provider = MoyaProvider<TaskTarget>

    private static let plain = TaskTarget(method: .get, task: .requestPlain)

    /// Starts a request, and returns its token and its result.
    private func start(
        _ target: TaskTarget = plain,
        from provider: Provider
    ) -> (token: any Cancellable, result: Promise<Result<Response, MoyaError>>) {
        let result = Promise<Result<Response, MoyaError>>()
        return (provider.request(target, callbackQueue: .global()) { result.fulfill($0) }, result)
    }

    /// Creates a provider whose request closure waits for `deliver`, and a record of its sent requests.
    private func held(
        _ outcome: @escaping @Sendable (Endpoint) -> Result<URLRequest, MoyaError>
    ) -> (provider: Provider, deliver: Recorder<@Sendable () -> Void>, sent: Recorder<Void>) {
        let deliver = Recorder<@Sendable () -> Void>()
        let sent = Recorder<Void>()
        let provider = Provider(
            requestClosure: { endpoint, done in deliver.add { done(outcome(endpoint)) } },
            session: Session(
                FakeTransport { _ in
                    sent.add(())
                    return TransportResponse(status: 200)
                }
            ),
            trackInflights: true
        )
        return (provider, deliver, sent)
    }

    private static func mapped(_ endpoint: Endpoint) -> Result<URLRequest, MoyaError> {
        Result { try endpoint.urlRequest() }.mapError { _ in .requestMapping(endpoint.url) }
    }

    @Test("fact 83: requests are shared only if their bodies are equal and tracking is on", arguments: [false, true])
    func bodies(tracksInflights: Bool) async {
        let go = Promise<Void>()
        let sent = Recorder<Void>()
        let session = Session(
            FakeTransport { _ in
                sent.add(())
                if sent.values.count == (tracksInflights ? 2 : 3) { go.fulfill(()) }
                return TransportResponse(status: 200)
            }
        )
        // The closures wait until all requests have arrived.
        let deliver = Recorder<@Sendable () -> Void>()
        let closure: Provider.RequestClosure = { endpoint, done in deliver.add { done(Self.mapped(endpoint)) } }
        let provider =
            tracksInflights
            ? Provider(requestClosure: closure, session: session, trackInflights: true)
            : Provider(requestClosure: closure, session: session)
        #expect(provider.trackInflights == tracksInflights)
        let requests = ["a", "b", "a"].map { start(TaskTarget(task: .requestData(Data($0.utf8))), from: provider) }
        #expect(deliver.values.count == (tracksInflights ? 2 : 3))
        #expect(provider.inflightRequests.values.map(\.count).sorted() == (tracksInflights ? [1, 2] : []))
        deliver.values.forEach { $0() }
        await go.wait()
        for request in requests { #expect(await request.result.wait().response?.statusCode == 200) }
        #expect(sent.values.count == (tracksInflights ? 2 : 3))
    }

    @Test("fact 89: a failing request closure fails all waiting callers of a shared request and leaves no entry")
    func failingClosure() async {
        let (provider, deliver, sent) = held { _ in .failure(.requestMapping("none")) }
        let requests = (0..<3).map { _ in start(from: provider) }
        #expect(deliver.values.count == 1)
        deliver.values.first?()
        for request in requests {
            guard case .failure(.requestMapping("none")) = await request.result.wait() else {
                Issue.record("no failure")
                continue
            }
        }
        while !provider.inflightRequests.isEmpty { await Task.yield() }
        let next = start(from: provider)
        #expect(deliver.values.count == 2)
        deliver.values.last?()
        #expect(await next.result.wait().response == nil)
        #expect(sent.values.isEmpty)
    }

    @Test(
        "facts 88, 89: the first caller of a shared request may be cancelled before the mapping, and the others get the result"
    )
    func firstCancelled() async {
        let (provider, deliver, sent) = held(Self.mapped)
        let requests = (0..<2).map { _ in start(from: provider) }
        requests[0].token.cancel()
        #expect(requests[0].token.isCancelled)
        #expect(!requests[1].token.isCancelled)
        #expect(await requests[0].result.wait().urlErrorCode == .cancelled)
        #expect(requests[1].result.value == nil)
        deliver.values.first?()
        #expect(await requests[1].result.wait().response?.statusCode == 200)
        #expect(deliver.values.count == 1)
        #expect(sent.values.count == 1)
        while !provider.inflightRequests.isEmpty { await Task.yield() }
    }

    @Test("fact 89: cancelling all callers of a shared request before the mapping sends nothing and leaves no entry")
    func allCancelled() async {
        let (provider, deliver, sent) = held(Self.mapped)
        let requests = (0..<2).map { _ in start(from: provider) }
        for request in requests {
            request.token.cancel()
            #expect(await request.result.wait().urlErrorCode == .cancelled)
        }
        while !provider.inflightRequests.isEmpty { await Task.yield() }
        deliver.values.first?()
        let next = start(from: provider)
        #expect(deliver.values.count == 2)
        deliver.values.last?()
        #expect(await next.result.wait().response?.statusCode == 200)
        #expect(sent.values.count == 1)
    }

    @Test("fact 90: equal stubs are shared, with one sample response for all callers")
    func stubs() async {
        let asked = Recorder<Void>()
        let clock = ManualClock()
        let provider = Provider(
            endpointClosure: { target in
                Endpoint(
                    url: "http://h/",
                    sampleResponseClosure: {
                        asked.add(())
                        return .networkResponse(200, Data("s".utf8))
                    },
                    method: .get,
                    task: target.task
                )
            },
            stubClosure: Provider.delayedStub(1),
            trackInflights: true,
            clock: clock
        )
        let requests = (0..<3).map { _ in start(from: provider) }
        #expect(provider.inflightRequests.values.map(\.count) == [3])
        await clock.someoneSleeps()
        clock.advance(by: .seconds(1))
        var responses: [Response?] = []
        for request in requests { responses.append(await request.result.wait().response) }
        #expect(responses.allSatisfy { $0 != nil && $0 === responses[0] })
        #expect(asked.values.count == 1)
        while !provider.inflightRequests.isEmpty { await Task.yield() }
    }

    @Test("a caller that leaves a shared request gets a last progress call only if the request was sent or stubbed")
    func progressOfLeaver() async {
        let (provider, deliver, _) = held(Self.mapped)
        let calls = Recorder<String>()
        let left = Promise<Void>()
        let (_, result) = start(from: provider)
        let token = provider.request(
            Self.plain,
            callbackQueue: .global(),
            progress: { _ in calls.add("progress") },
            completion: { _ in left.fulfill(()) }
        )
        token.cancel()
        await left.wait()
        #expect(calls.values.isEmpty)
        deliver.values.first?()
        #expect(await result.wait().response?.statusCode == 200)
        #expect(calls.values.isEmpty)
    }
}
