import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

@Suite("A request can be cancelled")
struct CancellationTests {
    typealias Provider = MoyaProvider<SomeTarget>

    @Test("fact 76: a cancellation token runs its action once and reports its cancellation")
    func token() {
        let runs = Recorder<Void>()
        let token = CancellableToken { runs.add(()) }
        #expect(!token.isCancelled)
        token.cancel()
        token.cancel()
        #expect(token.isCancelled)
        #expect(runs.values.count == 1)
    }

    @Test("facts 77, 78: a request cancelled before its mapping completes with URLError.cancelled and is not sent")
    func beforeMapping() async {
        let deliver = Recorder<@Sendable () -> Void>()
        let calls = Recorder<String>()
        let provider = Provider(
            requestClosure: { endpoint, done in
                deliver.add { Provider.defaultRequestMapping(for: endpoint, closure: done) }
            },
            session: Session(
                FakeTransport { _ in
                    Issue.record("something was sent")
                    return TransportResponse(status: 200)
                }
            ),
            plugins: [RecordingPlugin(calls: calls)]
        )
        let results = Recorder<Result<Response, MoyaError>>()
        let completed = Promise<Void>()
        let token = provider.request(SomeTarget(), callbackQueue: .global()) { result in
            results.add(result)
            completed.fulfill(())
        }
        token.cancel()
        #expect(token.isCancelled)
        await completed.wait()
        deliver.values.first?()
        #expect(results.values.count == 1)
        #expect(results.values.first?.urlErrorCode == .cancelled)
        #expect((results.values.first?.underlying as NSError?)?.code == NSURLErrorCancelled)
        #expect((results.values.first?.underlying as NSError?)?.domain == NSURLErrorDomain)
        #expect(calls.values == ["didReceive", "process"])
    }

    @Test("fact 65: the result of a cancellation before the mapping arrives on the callback queue")
    func beforeMappingOnQueue() async {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "wanted")
        queue.setSpecific(key: key, value: true)
        let deliver = Recorder<@Sendable () -> Void>()
        let provider = Provider(requestClosure: { endpoint, done in
            deliver.add { Provider.defaultRequestMapping(for: endpoint, closure: done) }
        })
        let isThere = Promise<Bool?>()
        let token = provider.request(SomeTarget(), callbackQueue: queue) { _ in
            isThere.fulfill(DispatchQueue.getSpecific(key: key))
        }
        token.cancel()
        deliver.values.first?()
        #expect(await isThere.wait() == true)
    }

    @Test("a cancelled task does not wait for a request closure that never calls back")
    func neverMapped() async {
        let called = Promise<Void>()
        let kept = Recorder<Provider.RequestResultClosure>()
        let provider = Provider(requestClosure: { _, done in
            kept.add(done)
            called.fulfill(())
        })
        let task = Task { await EntryPoint.async.request(SomeTarget(), from: provider) }
        await called.wait()
        task.cancel()
        #expect(await task.value.urlErrorCode == .cancelled)
    }

    @Test(
        "facts 77, 80: cancelling a live request closes its connection and completes it",
        arguments: EntryPoint.allCases
    )
    func live(entryPoint: EntryPoint) async throws {
        let server = try await MisbehavingServer()
        let provider = Provider()
        let target = SomeTarget(baseURL: server.url(.neverResponds), path: "")
        let task = Task { await entryPoint.request(target, from: provider) }
        #expect(await server.wait(for: .request(path: "/neverResponds")))
        task.cancel()
        #expect(await task.value.urlErrorCode == .cancelled)
        #expect(await server.wait(for: .closed(path: "/neverResponds")))
        try await server.shutDown()
    }

    /// The moment of the cancellation.
    enum Moment: String, CaseIterable, Sendable {
        case beforeMapping
        case live
        case delayedStub
        case waiting
    }

    @Test(
        "facts 78 to 80, 88: a cancellation causes the same error at any moment of a request",
        arguments: Moment.allCases
    )
    func oneError(moment: Moment) async {
        let started = Promise<Void>()
        let clock = ManualClock()
        let provider = Provider(
            requestClosure: { endpoint, done in
                if moment != .beforeMapping { return Provider.defaultRequestMapping(for: endpoint, closure: done) }
                Task {
                    await started.wait()
                    Provider.defaultRequestMapping(for: endpoint, closure: done)
                }
            },
            stubClosure: moment == .delayedStub ? Provider.delayedStub(60) : Provider.neverStub,
            session: Session(
                FakeTransport { _ in
                    started.fulfill(())
                    try? await Task.sleep(for: .seconds(3_600))
                    throw URLError(.cancelled)
                }
            ),
            trackInflights: moment == .waiting,
            clock: clock
        )
        let first = Promise<Result<Response, MoyaError>>()
        let other = Promise<Result<Response, MoyaError>>()
        var tokens = [provider.request(SomeTarget(), callbackQueue: .global()) { first.fulfill($0) }]
        if moment == .waiting {
            tokens.append(provider.request(SomeTarget(), callbackQueue: .global()) { other.fulfill($0) })
        }
        switch moment {
        case .beforeMapping: tokens[0].cancel()
        case .live, .waiting: await started.wait()
        case .delayedStub: await clock.someoneSleeps()
        }
        for token in tokens.reversed() { token.cancel() }
        if moment == .beforeMapping { started.fulfill(()) }
        for result in moment == .waiting ? [other, first] : [first] {
            let result = await result.wait()
            let error = result.underlying as NSError?
            #expect(error?.domain == NSURLErrorDomain)
            #expect(error?.code == -999)
            #expect(result.urlErrorCode == .cancelled)
        }
    }

    @Test("fact 81: cancelling a request after the completion does nothing")
    func afterwards() async {
        let provider = Provider(session: Session(FakeTransport.body("")))
        let results = Recorder<Bool>()
        let done = Promise<Void>()
        let token = provider.request(SomeTarget(), callbackQueue: .global()) {
            results.add($0.response != nil)
            done.fulfill(())
        }
        await done.wait()
        token.cancel()
        #expect(results.values == [true])
    }

    @Test("fact 82: the text of a cancellation token is the curl command with masked credentials, or `Empty Request`")
    func text() async {
        #expect(CancellableToken {}.debugDescription == "Empty Request")
        let sent = Promise<Void>()
        let go = Promise<Void>()
        let provider = Provider(
            session: Session(
                transport: FakeTransport { _ in
                    sent.fulfill(())
                    await go.wait()
                    return TransportResponse(status: 200)
                },
                configuration: .default
            )
        )
        let done = Promise<Void>()
        let target = SomeTarget(headers: ["Authorization": "Bearer secret"])
        let token = provider.request(target, callbackQueue: .global()) { _ in done.fulfill(()) }
        await sent.wait()
        let text = (token as? CancellableToken)?.debugDescription
        #expect(
            text?.withoutUsualHeaders
                == "$ curl -v \\\n\t-X GET \\\n\t-H \"Authorization: Bearer ***\" \\\n\t\"http://127.0.0.1:9/thing\""
        )
        go.fulfill(())
        await done.wait()
    }

    @Test("fact 77: requests cancelled at any moment complete exactly once", arguments: EntryPoint.allCases)
    func race(entryPoint: EntryPoint) async throws {
        try await PlainServer.run { server in
            let provider = Provider()
            let target = SomeTarget(baseURL: server.baseURL, path: "/json")
            let outcomes = await withTaskGroup(of: Result<Response, MoyaError>.self) { group in
                for index in 0..<400 {
                    group.addTask {
                        let task = Task { await entryPoint.request(target, from: provider) }
                        for _ in 0..<(index % 40) { await Task.yield() }
                        if index % 4 != 0 { task.cancel() }
                        return await task.value
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count == 400)
            for outcome in outcomes {
                #expect(outcome.response?.statusCode == 200 || outcome.urlErrorCode == .cancelled)
            }
            #expect(outcomes.count { $0.response != nil } >= 100)
        }
    }
}
