import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("Equal requests in flight share one exchange")
struct InflightTests {
    typealias Provider = MoyaProvider<SomeTarget>

    /// Blocks any number of waiting tasks until it is opened.
    private final class Gate: Sendable {
        private let state = Locked((isOpen: false, waiters: [Promise<Void>]()))

        func wait() async {
            let waiter = Promise<Void>()
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(waiter) }
                return state.isOpen
            }
            if !isOpen { await waiter.wait() }
        }

        func open() {
            let waiters = state.withLock { state in
                defer { state = (true, []) }
                return state.waiters
            }
            for waiter in waiters { waiter.fulfill(()) }
        }
    }

    /// A transport that counts requests and responds on command.
    private struct HeldNetwork: Sendable {
        let sent = Recorder<URL>()
        let started = Promise<Void>()
        let go = Gate()
        let cancelled = Promise<Void>()

        var transport: FakeTransport {
            FakeTransport { request in
                sent.add(request.url)
                started.fulfill(())
                return await withTaskCancellationHandler {
                    await go.wait()
                    return TransportResponse(status: 200, body: .complete(Data("shared".utf8)))
                } onCancel: {
                    cancelled.fulfill(())
                    go.open()
                }
            }
        }
    }

    @Test("fact 84: equal requests share one exchange and get the same response, in the order of the requests")
    func shared() async {
        let network = HeldNetwork()
        let provider = Provider(session: Session(network.transport), trackInflights: true)
        let queue = DispatchQueue(label: "results")
        let responses = Recorder<(Int, ObjectIdentifier?)>()
        let done = Promise<Void>()
        for index in 0..<5 {
            provider.request(SomeTarget(), callbackQueue: queue) {
                responses.add((index, $0.response.map { ObjectIdentifier($0) }))
                if index == 4 { done.fulfill(()) }
            }
        }
        #expect(provider.inflightRequests.values.map(\.count) == [5])
        network.go.open()
        await done.wait()
        #expect(network.sent.values.count == 1)
        #expect(responses.values.map(\.0) == [0, 1, 2, 3, 4])
        #expect(Set(responses.values.map(\.1)).count == 1)
        #expect(responses.values.first?.1 != nil)
    }

    @Test("fact 83: requests with different headers, parameters or paths do not share an exchange")
    func different() async {
        let network = HeldNetwork()
        let provider = Provider(session: Session(network.transport), trackInflights: true)
        let targets = [
            SomeTarget(), SomeTarget(headers: ["A": "b"]), SomeTarget(parameters: ["a": "b"]),
            SomeTarget(path: "/other"),
        ]
        let done = targets.map { _ in Promise<Void>() }
        for (target, done) in zip(targets, done) {
            provider.request(target, callbackQueue: .global()) { _ in done.fulfill(()) }
        }
        #expect(provider.inflightRequests.count == 4)
        network.go.open()
        for done in done { await done.wait() }
        #expect(network.sent.values.count == 4)
    }

    @Test("fact 85: a request is in flight until its last completion has returned", arguments: [false, true])
    func count(isStubbed: Bool) async {
        let provider = Provider(
            stubClosure: isStubbed ? Provider.immediatelyStub : Provider.neverStub,
            session: Session(FakeTransport.body("")),
            trackInflights: true
        )
        let during = Promise<Int>()
        let queue = DispatchQueue(label: "results")
        provider.request(SomeTarget(), callbackQueue: queue) { [provider] _ in
            during.fulfill(provider.inflightRequests.count)
        }
        #expect(await during.wait() == 1)
        let after = Promise<Int>()
        queue.async { after.fulfill(provider.inflightRequests.count) }
        #expect(await after.wait() == 0)
    }

    @Test("fact 86: the hooks of a shared exchange run once with the first target, and process runs for each caller")
    func hooks() async {
        let network = HeldNetwork()
        let calls = Recorder<String>()
        let provider = Provider(
            session: Session(network.transport),
            plugins: [RecordingPlugin(calls: calls)],
            trackInflights: true
        )
        let queue = DispatchQueue(label: "results")
        let done = Promise<Void>()
        provider.request(SomeTarget(tag: "1"), callbackQueue: queue) { _ in }
        provider.request(SomeTarget(tag: "2"), callbackQueue: queue) { _ in done.fulfill(()) }
        network.go.open()
        await done.wait()
        #expect(calls.values == ["prepare 1", "willSend 1", "didReceive 1", "process 1", "process 2"])
    }

    @Test("fact 87: each caller of a shared request has a separate queue and progress")
    func ownQueue() async {
        let network = HeldNetwork()
        let provider = Provider(session: Session(network.transport), trackInflights: true)
        let key = DispatchSpecificKey<String>()
        let places = Recorder<String>()
        let done = [Promise<Void>(), Promise<Void>()]
        for (index, name) in ["first", "second"].enumerated() {
            let queue = DispatchQueue(label: name)
            queue.setSpecific(key: key, value: name)
            provider.request(
                SomeTarget(),
                callbackQueue: queue,
                progress: { if $0.completed { places.add("\(name) \(DispatchQueue.getSpecific(key: key) ?? "?")") } },
                completion: { _ in
                    places.add("\(name) \(DispatchQueue.getSpecific(key: key) ?? "?")")
                    done[index].fulfill(())
                }
            )
        }
        network.go.open()
        for done in done { await done.wait() }
        #expect(places.values.sorted() == ["first first", "first first", "second second", "second second"])
    }

    @Test("fact 88: a cancelled caller of a shared request completes immediately, and the others get the result")
    func leave() async {
        let network = HeldNetwork()
        let provider = Provider(session: Session(network.transport), trackInflights: true)
        let results = [Promise<Result<Response, MoyaError>>(), Promise<Result<Response, MoyaError>>()]
        let tokens = results.map { result in
            provider.request(SomeTarget(), callbackQueue: .global()) { result.fulfill($0) }
        }
        await network.started.wait()
        // The first request has started the exchange.
        tokens[0].cancel()
        #expect(await results[0].wait().urlErrorCode == .cancelled)
        #expect(results[1].value == nil)
        network.go.open()
        #expect(await results[1].wait().response?.data == Data("shared".utf8))
        #expect(network.cancelled.value == nil)
        #expect(network.sent.values.count == 1)
    }

    @Test("fact 88: a shared exchange is cancelled with its last caller", arguments: EntryPoint.allCases)
    func lastLeaves(entryPoint: EntryPoint) async {
        let network = HeldNetwork()
        let provider = Provider(session: Session(network.transport), trackInflights: true)
        let tasks = (0..<3).map { _ in Task { await entryPoint.request(SomeTarget(), from: provider) } }
        await network.started.wait()
        while provider.inflightRequests.values.first?.count != 3 { await Task.yield() }
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value.urlErrorCode == .cancelled) }
        await network.cancelled.wait()
        while !provider.inflightRequests.isEmpty { await Task.yield() }
        #expect(network.sent.values.count == 1)
    }

    @Test("fact 89: a request that is not sent leaves no entry in flight")
    func noLeak() async {
        let fails = Recorder<Void>()
        let provider = Provider(
            requestClosure: { endpoint, done in
                fails.add(())
                if fails.values.count == 1 {
                    done(.failure(.requestMapping("")))
                } else {
                    Provider.defaultRequestMapping(for: endpoint, closure: done)
                }
            },
            session: Session(FakeTransport.body("next")),
            trackInflights: true
        )
        guard case .failure(.requestMapping) = await EntryPoint.callback.request(SomeTarget(), from: provider) else {
            Issue.record("no failure")
            return
        }
        #expect(await EntryPoint.callback.request(SomeTarget(), from: provider).response?.data == Data("next".utf8))
    }

    @Test("a request that a completion sends starts another exchange")
    func again() async {
        let sent = Recorder<Void>()
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    sent.add(())
                    return TransportResponse(status: sent.values.count == 1 ? 500 : 200)
                }
            ),
            trackInflights: true
        )
        let second = Promise<Int?>()
        provider.request(SomeTarget(), callbackQueue: .global()) { [provider] _ in
            provider.request(SomeTarget(), callbackQueue: .global()) { second.fulfill($0.response?.statusCode) }
        }
        #expect(await second.wait() == 200)
        #expect(sent.values.count == 2)
    }

    @Test("fact 90: concurrent callers of a shared request complete once each and leave no entry")
    func atomic() async {
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    await Task.yield()
                    return TransportResponse(status: 200)
                }
            ),
            trackInflights: true
        )
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for index in 0..<500 {
                group.addTask {
                    let task = Task { await EntryPoint.callback.request(SomeTarget(), from: provider) }
                    if index % 5 == 0 { task.cancel() }
                    return await task.value.response?.statusCode
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count == 500)
        #expect(statuses.count { $0 == 200 } >= 400)
        while !provider.inflightRequests.isEmpty { await Task.yield() }
    }
}
