import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("NetworkActivityPlugin reports one beginning and one end for each request", .timeLimit(.minutes(5)))
struct NetworkActivityPluginTests {
    typealias Provider = MoyaProvider<SomeTarget>

    private func plugin(_ changes: Recorder<String>) -> NetworkActivityPlugin {
        NetworkActivityPlugin { change, target in
            let tag = (target as? SomeTarget)?.tag ?? "?"
            changes.add(tag.isEmpty ? "\(change)" : "\(change) \(tag)")
        }
    }

    /// Retries a request a number of times.
    private struct Repeating: RequestInterceptor {
        let times: Int
        func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
            attempt.retryCount < times ? .retry : .doNotRetry
        }
    }

    // MARK: Documented behavior

    @Test(
        "fact 127: NetworkActivityPlugin reports began before the request is sent, and ended before the completion",
        arguments: EntryPoint.allCases
    )
    func live(entryPoint: EntryPoint) async {
        let changes = Recorder<String>()
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    changes.add("network")
                    return TransportResponse(status: 200)
                }
            ),
            plugins: [plugin(changes)]
        )
        _ = await entryPoint.request(SomeTarget(tag: "a"), from: provider)
        changes.add("completed")
        #expect(changes.values == ["began a", "network", "ended a", "completed"])
    }

    @Test(
        "fact 127: NetworkActivityPlugin reports both events for a stub",
        arguments: EntryPoint.allCases,
        [StubBehavior.immediate, .delayed(seconds: 0)]
    )
    func stub(entryPoint: EntryPoint, behavior: StubBehavior) async {
        let changes = Recorder<String>()
        let provider = Provider(
            stubClosure: { _ in behavior },
            session: Session(FakeTransport.body("")),
            plugins: [plugin(changes)]
        )
        _ = await entryPoint.request(SomeTarget(), from: provider)
        #expect(changes.values == ["began", "ended"])
    }

    @Test("fact 127: a retried request begins once for NetworkActivityPlugin", arguments: EntryPoint.allCases)
    func retry(entryPoint: EntryPoint) async {
        let changes = Recorder<String>()
        let provider = Provider(
            session: Session(transport: FakeTransport.body("", status: 503), interceptor: Repeating(times: 3)),
            plugins: [plugin(changes)]
        )
        _ = await entryPoint.request(SomeTarget(), from: provider)
        #expect(changes.values == ["began", "ended"])
    }

    @Test("fact 127: a failed request ends for NetworkActivityPlugin", arguments: EntryPoint.allCases)
    func failure(entryPoint: EntryPoint) async {
        let changes = Recorder<String>()
        let provider = Provider(
            session: Session(FakeTransport { _ in throw URLError(.timedOut) }),
            plugins: [plugin(changes)]
        )
        #expect(await entryPoint.request(SomeTarget(), from: provider).urlErrorCode == .timedOut)
        #expect(changes.values == ["began", "ended"])
    }

    @Test(
        "fact 127: a request that fails mapping or an adapter has no events of NetworkActivityPlugin",
        arguments: EntryPoint.allCases
    )
    func unsent(entryPoint: EntryPoint) async {
        struct Refusing: RequestInterceptor {
            func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
                throw URLError(.userAuthenticationRequired)
            }
        }
        let changes = Recorder<String>()
        let unmapped = Provider(
            requestClosure: { $1(.failure(.requestMapping(""))) },
            session: Session(FakeTransport.body("")),
            plugins: [plugin(changes)]
        )
        #expect(await entryPoint.request(SomeTarget(), from: unmapped).response == nil)
        let refused = Provider(
            session: Session(transport: FakeTransport.body(""), interceptor: Refusing()),
            plugins: [plugin(changes)]
        )
        #expect(await entryPoint.request(SomeTarget(), from: refused).urlErrorCode == .userAuthenticationRequired)
        #expect(changes.values.isEmpty)
    }

    @Test(
        "fact 127: a request cancelled before it is sent has no activity events, even beside a running request"
    )
    func cancelledBefore() async {
        let changes = Recorder<String>()
        let deliver = Recorder<@Sendable () -> Void>()
        let started = Promise<Void>()
        let go = Promise<Void>()
        let shared = plugin(changes)
        let underWay = Provider(
            session: Session(
                FakeTransport { _ in
                    started.fulfill(())
                    await go.wait()
                    return TransportResponse(status: 200)
                }
            ),
            plugins: [shared]
        )
        let late = Provider(
            requestClosure: { endpoint, done in
                deliver.add { Provider.defaultRequestMapping(for: endpoint, closure: done) }
            },
            session: Session(FakeTransport.body("")),
            plugins: [shared]
        )
        async let other = EntryPoint.async.request(SomeTarget(tag: "other"), from: underWay)
        await started.wait()
        let result = Promise<Result<Response, MoyaError>>()
        late.request(SomeTarget(tag: "late")) { result.fulfill($0) }.cancel()
        deliver.values.forEach { $0() }
        #expect(await result.wait().urlErrorCode == .cancelled)
        #expect(changes.values == ["began other"])
        go.fulfill(())
        _ = await other
        #expect(changes.values == ["began other", "ended other"])
    }

    @Test("fact 127: a cancelled running request ends for NetworkActivityPlugin", arguments: EntryPoint.allCases)
    func cancelledUnderWay(entryPoint: EntryPoint) async {
        let changes = Recorder<String>()
        let started = Promise<Void>()
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    started.fulfill(())
                    try? await Task.sleep(for: .seconds(3_600))
                    throw URLError(.cancelled)
                }
            ),
            plugins: [plugin(changes)]
        )
        let task = Task { await entryPoint.request(SomeTarget(), from: provider) }
        await started.wait()
        task.cancel()
        #expect(await task.value.urlErrorCode == .cancelled)
        #expect(changes.values == ["began", "ended"])
    }

    @Test("fact 127: a cancelled delayed stub ends for NetworkActivityPlugin", arguments: EntryPoint.allCases)
    func cancelledStub(entryPoint: EntryPoint) async {
        let changes = Recorder<String>()
        let clock = ManualClock()
        let provider = Provider(
            stubClosure: Provider.delayedStub(1),
            session: Session(FakeTransport.body("")),
            plugins: [plugin(changes)],
            clock: clock
        )
        let task = Task { await entryPoint.request(SomeTarget(), from: provider) }
        await clock.someoneSleeps()
        #expect(changes.values == ["began"])
        task.cancel()
        #expect(await task.value.urlErrorCode == .cancelled)
        #expect(changes.values == ["began", "ended"])
    }

    @Test("requests that share an exchange count as one network activity")
    func inflight() async {
        let changes = Recorder<String>()
        let go = Promise<Void>()
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    await go.wait()
                    return TransportResponse(status: 200)
                }
            ),
            plugins: [plugin(changes)],
            trackInflights: true
        )
        let done = (0..<3).map { _ in Promise<Void>() }
        for done in done { provider.request(SomeTarget(), callbackQueue: .global()) { _ in done.fulfill(()) } }
        go.fulfill(())
        for done in done { await done.wait() }
        #expect(changes.values == ["began", "ended"])
    }

    @Test("the network activity of a streamed request ends with the head of its response")
    func stream() async throws {
        let changes = Recorder<String>()
        let provider = Provider.answering(["a", "b"], plugins: [plugin(changes)])
        let response = try await provider.stream(SomeTarget())
        #expect(changes.values == ["began", "ended"])
        for try await _ in response.lines {}
        #expect(changes.values == ["began", "ended"])
    }

    @Test("an activity plugin that is twice in a provider reports once, and a plugin of two providers reports for both")
    func twice() async {
        let changes = Recorder<String>()
        let plugin = plugin(changes)
        let first = Provider(session: Session(FakeTransport.body("")), plugins: [plugin, plugin])
        let second = Provider(session: Session(FakeTransport.body("")), plugins: [plugin])
        _ = await EntryPoint.async.request(SomeTarget(tag: "1"), from: first)
        _ = await EntryPoint.async.request(SomeTarget(tag: "2"), from: second)
        #expect(changes.values == ["began 1", "ended 1", "began 2", "ended 2"])
    }

    @Test("a request that a plugin's hook sends has separate activity events", arguments: [false, true])
    func nested(isStubbed: Bool) async {
        struct Nesting: PluginType {
            let provider: Provider
            let done: Promise<Void>
            func willSend(_ request: any RequestType, target: any TargetType) {
                provider.request(SomeTarget(tag: "inner"), callbackQueue: .global()) { _ in done.fulfill(()) }
            }
        }
        let changes = Recorder<String>()
        let plugin = plugin(changes)
        let done = Promise<Void>()
        let stub = isStubbed ? Provider.immediatelyStub : Provider.neverStub
        let session = Session(FakeTransport.body(""))
        let inner = Provider(stubClosure: stub, session: session, plugins: [plugin])
        let outer = Provider(
            stubClosure: stub,
            session: session,
            plugins: [plugin, Nesting(provider: inner, done: done)]
        )
        _ = await EntryPoint.async.request(SomeTarget(tag: "outer"), from: outer)
        await done.wait()
        #expect(changes.values.sorted() == ["began inner", "began outer", "ended inner", "ended outer"])
    }

    @Test("an override of stubRequest has paired activity events", arguments: [false, true])
    func override(hops: Bool) async {
        let changes = Recorder<String>()
        let provider = StubbingProvider(hops: hops, plugins: [plugin(changes)])
        for _ in 0..<3 { #expect(await EntryPoint.callback.request(SomeTarget(), from: provider).response != nil) }
        #expect(changes.values == ["began", "ended", "began", "ended", "began", "ended"])
    }

    /// A provider that stubs with a custom function, on the caller's thread or on another one.
    private final class StubbingProvider: MoyaProvider<SomeTarget>, @unchecked Sendable {
        let hops: Bool

        init(hops: Bool, plugins: [any PluginType]) {
            self.hops = hops
            super.init(stubClosure: Provider.immediatelyStub, plugins: plugins)
        }

        override func stubRequest(
            _ target: SomeTarget,
            request: URLRequest,
            callbackQueue: DispatchQueue?,
            completion: @escaping Moya.Completion,
            endpoint: Endpoint,
            stubBehavior: StubBehavior
        ) -> CancellableToken {
            let token = CancellableToken {}
            let answer: @Sendable () -> Void = { [self] in
                let prepared = notifyPluginsOfImpendingStub(for: request, target: target)
                createStubFunction(
                    token,
                    forTarget: target,
                    withCompletion: completion,
                    endpoint: endpoint,
                    plugins: plugins,
                    request: prepared
                )()
            }
            if hops { DispatchQueue.global().async(execute: answer) } else { answer() }
            return token
        }
    }

    // MARK: Without a provider

    @Test("an end without a beginning is not reported if the hooks of NetworkActivityPlugin are called directly")
    func byHand() {
        let changes = Recorder<String>()
        let plugin = plugin(changes)
        let result: Result<Response, MoyaError> = .success(Response(statusCode: 200, data: Data()))
        let request = Session(FakeTransport.body("")).request(URLRequest(url: SomeTarget().baseURL))
        plugin.didReceive(result, target: SomeTarget(tag: "0"))
        plugin.willSend(request, target: SomeTarget(tag: "1"))
        plugin.willSend(request, target: SomeTarget(tag: "2"))
        for tag in ["2", "1", "0"] { plugin.didReceive(result, target: SomeTarget(tag: tag)) }
        #expect(changes.values == ["began 1", "began 2", "ended 2", "ended 1"])
    }

    // MARK: Concurrent requests

    @Test(
        "fact 127: each of many concurrent retried or cancelled requests begins once and ends once for NetworkActivityPlugin"
    )
    func race() async {
        let changes = Recorder<String>()
        let provider = Provider(
            session: Session(
                transport: FakeTransport { _ in
                    for _ in 0..<10 { await Task.yield() }
                    return TransportResponse(status: 503)
                },
                interceptor: Repeating(times: 2)
            ),
            plugins: [plugin(changes)]
        )
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<400 {
                group.addTask {
                    let entryPoint: EntryPoint = index % 2 == 0 ? .callback : .async
                    let task = Task { await entryPoint.request(SomeTarget(tag: "\(index)"), from: provider) }
                    for _ in 0..<(index % 30) { await Task.yield() }
                    if index % 4 != 0 { task.cancel() }
                    _ = await task.value
                }
            }
        }
        let ofOne = Dictionary(grouping: changes.values) { $0.split(separator: " ").last ?? "" }
        #expect(ofOne.count >= 100)
        for (tag, changes) in ofOne { #expect(changes == ["began \(tag)", "ended \(tag)"]) }
    }
}
