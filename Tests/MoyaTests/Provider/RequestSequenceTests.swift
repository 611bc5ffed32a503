import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

@Suite("The steps of a live request run in order and on their queues", .timeLimit(.minutes(5)))
struct RequestSequenceTests {
    typealias Provider = MoyaProvider<SomeTarget>

    /// Records each hook and the result that it sees.
    private struct ResultPlugin: PluginType {
        var name = ""
        let calls: Recorder<String>
        var status: Int?

        private func note(_ text: String) { calls.add(name.isEmpty ? text : "\(name) \(text)") }

        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            note("prepare")
            return request
        }

        func willSend(_ request: any RequestType, target: any TargetType) { note("willSend") }

        func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
            note("didReceive \(result.text)")
        }

        func process(_ result: Result<Response, MoyaError>, target: any TargetType) -> Result<Response, MoyaError> {
            note("process \(result.text)")
            guard let status else { return result }
            return result.map { Response(statusCode: status, data: $0.data) }
        }
    }

    @Test(
        "fact 28: every step of a live request runs in order, and validation precedes didReceive",
        arguments: [200, 500]
    )
    func steps(status: Int) async {
        let calls = Recorder<String>()
        let inflight = Locked<Provider?>(nil)
        let count: @Sendable () -> Int = { inflight.withLock { $0 }?.inflightRequests.count ?? -1 }
        let provider = Provider(
            endpointClosure: {
                calls.add("endpoint")
                return Provider.defaultEndpointMapping(for: $0)
            },
            requestClosure: {
                calls.add("map, \(count()) in flight")
                Provider.defaultRequestMapping(for: $0, closure: $1)
                calls.add("mapped")
            },
            stubClosure: { _ in
                calls.add("stub?, \(count()) in flight")
                return .never
            },
            session: Session(
                FakeTransport { _ in
                    calls.add("network")
                    return TransportResponse(status: status)
                }
            ),
            plugins: [ResultPlugin(calls: calls)],
            trackInflights: true
        )
        inflight.withLock { $0 = provider }
        let done = Promise<Void>()
        provider.request(
            SomeTarget(validationType: .successCodes),
            callbackQueue: .global(),
            progress: { if $0.completed { calls.add("progress") } },
            completion: {
                calls.add("completion \($0.text)")
                done.fulfill(())
            }
        )
        await done.wait()
        inflight.withLock { $0 = nil }
        // The mapping may return at any time, because the request runs on another thread.
        let steps = calls.values.filter { $0 != "mapped" }
        let result = status == 200 ? "200" : "failure with 500"
        #expect(
            steps
                == ["endpoint", "stub?, 0 in flight", "map, 1 in flight", "prepare", "willSend", "network"]
                + ["didReceive \(result)"] + (status == 200 ? ["progress"] : [])
                + ["process \(result)", "completion \(result)"]
        )
    }

    @Test("fact 30: the function request returns before prepare and willSend, which run on another thread")
    func elsewhere() async {
        let returned = DispatchSemaphore(value: 0)
        let hooks = Recorder<String>()
        var plugin = RecordingPlugin(calls: Recorder())
        plugin.onHook = { hook in
            // If `request` called the hook synchronously, this wait would time out.
            let hasReturned = returned.wait(timeout: .now() + 60) == .success
            returned.signal()
            hooks.add("\(hook) \(hasReturned)")
        }
        let provider = Provider(session: Session(FakeTransport.body("")), plugins: [plugin])
        let done = Promise<Void>()
        provider.request(SomeTarget(), callbackQueue: .global()) { _ in done.fulfill(()) }
        returned.signal()
        await done.wait()
        #expect(hooks.values == ["prepare true", "willSend true", "didReceive true", "process true"])
    }

    @Test("fact 31: the session's headers are strings, even if the configuration has other values")
    func sessionHeaders() async {
        struct Look: PluginType {
            let seen: Recorder<[String: String]>
            func willSend(_ request: any RequestType, target: any TargetType) { seen.add(request.sessionHeaders) }
        }
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["Number": 3, "Text": "a"]
        let seen = Recorder<[String: String]>()
        for behavior in [StubBehavior.never, .immediate] {
            let provider = Provider(
                stubClosure: { _ in behavior },
                session: Session(transport: FakeTransport.body(""), configuration: configuration),
                plugins: [Look(seen: seen)]
            )
            #expect(await EntryPoint.async.request(SomeTarget(), from: provider).response != nil)
        }
        #expect(seen.values == Array(repeating: ["Number": "3", "Text": "a"], count: 2))
    }

    @Test("fact 33: didReceive of every plugin gets the raw result, and process gets the previous plugin's result")
    func rawResult() async {
        let calls = Recorder<String>()
        let provider = Provider(
            session: Session(FakeTransport.body("")),
            plugins: [
                ResultPlugin(name: "A", calls: calls, status: -1), ResultPlugin(name: "B", calls: calls, status: -2),
            ]
        )
        let result = await EntryPoint.callback.request(SomeTarget(), from: provider)
        #expect(result.response?.statusCode == -2)
        #expect(calls.values.suffix(4) == ["A didReceive 200", "B didReceive 200", "A process 200", "B process -1"])
    }

    @Test("fact 36: a mapping failure without a queue completes on the thread that called back")
    func mappingFailureElsewhere() async {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "maps")
        queue.setSpecific(key: key, value: true)
        let order = Recorder<String>()
        let isOver = Promise<Void>()
        let provider = Provider(requestClosure: { _, done in
            queue.async {
                done(.failure(.requestMapping("")))
                order.add("called back")
                isOver.fulfill(())
            }
        })
        provider.request(SomeTarget()) { _ in order.add("completion \(DispatchQueue.getSpecific(key: key) ?? false)") }
        await isOver.wait()
        #expect(order.values == ["completion true", "called back"])
    }

    @Test("fact 37: a request whose closure has not called back does not complete, and other requests do")
    func neverMapped() async {
        let held = Recorder<@Sendable () -> Void>()
        let provider = Provider(
            requestClosure: { endpoint, done in
                guard endpoint.url.hasSuffix("held") else {
                    return Provider.defaultRequestMapping(for: endpoint, closure: done)
                }
                held.add { Provider.defaultRequestMapping(for: endpoint, closure: done) }
            },
            session: Session(FakeTransport.body(""))
        )
        let completed = Promise<Void>()
        provider.request(SomeTarget(path: "/held"), callbackQueue: .global()) { _ in completed.fulfill(()) }
        for _ in 0..<10 { #expect(await EntryPoint.callback.request(SomeTarget(), from: provider).response != nil) }
        #expect(completed.value == nil)
        held.values.forEach { $0() }
        await completed.wait()
    }

    /// Adds a body to requests.
    private struct BodyPlugin: PluginType {
        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            var request = request
            request.httpBody = Data("q".utf8)
            return request
        }
    }

    @Test(
        "fact 38: a GET with a body arrives, or fails with bodyNotAllowed over URLSession, and the hooks run",
        arguments: TransportKind.allCases,
        EntryPoint.allCases
    )
    func getWithBody(kind: TransportKind, entryPoint: EntryPoint) async throws {
        try await PlainServer.run { server in
            let transport = kind.make()
            for task in [HTTPTask.requestData(Data("q".utf8)), .requestPlain] {
                let calls = Recorder<String>()
                var plugins: [any PluginType] = [RecordingPlugin(calls: calls)]
                if case .requestPlain = task { plugins.append(BodyPlugin()) }
                let provider = MoyaProvider<TaskTarget>(session: Session(transport: transport), plugins: plugins)
                let target = TaskTarget(baseURL: server.url("/echo"), method: .get, task: task)
                let result = await entryPoint.request(target, from: provider)
                #expect(calls.values == ["prepare", "willSend", "didReceive", "process"])
                guard kind == .urlSession else {
                    let echo = try result.get().map(PlainServer.Echo.self)
                    #expect(echo.body == "q")
                    continue
                }
                guard case .failure(.underlying(let error, nil)) = result else {
                    Issue.record("\(result)")
                    continue
                }
                #expect(error as? RequestValidationError == .bodyNotAllowed(method: "GET"))
            }
            await transport.shutdown()
        }
    }

    @Test(
        "fact 44: the default session has the default headers and does not start requests; a custom session is used unchanged"
    )
    func sessions() {
        let session = Provider.defaultAlamofireSession()
        #expect(!session.startRequestsImmediately)
        #expect(session.sessionHeaders == HTTPHeaders.default.dictionary)
        #expect(Set(session.sessionHeaders.keys) == ["Accept-Encoding", "Accept-Language", "User-Agent"])
        let usual = URLSessionConfiguration.default
        #expect(session.sessionConfiguration.timeoutIntervalForRequest == usual.timeoutIntervalForRequest)
        #expect(session.sessionConfiguration.timeoutIntervalForResource == usual.timeoutIntervalForResource)
        #expect(!Provider().session.startRequestsImmediately)
        #expect(Provider().session.sessionHeaders == session.sessionHeaders)
        let own = Session(FakeTransport.body(""))
        #expect(Provider(session: own).session === own)
    }

    @Test(
        "fact 48: a live request may be started on the same provider from inside any hook",
        arguments: EntryPoint.allCases
    )
    func sameProvider(entryPoint: EntryPoint) async {
        struct Nesting: PluginType {
            let provider = Locked<Provider?>(nil)
            let responses = Recorder<Int?>()
            let done = Promise<Void>()

            private func nest(_ target: any TargetType) {
                guard (target as? SomeTarget)?.tag == "outer" else { return }
                let provider = provider.withLock { $0 }
                provider?.request(SomeTarget(tag: "inner"), callbackQueue: .global()) {
                    responses.add($0.response?.statusCode)
                    if responses.values.count == 4 { done.fulfill(()) }
                }
            }

            func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
                nest(target)
                return request
            }
            func willSend(_ request: any RequestType, target: any TargetType) { nest(target) }
            func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) { nest(target) }
            func process(
                _ result: Result<Response, MoyaError>,
                target: any TargetType
            ) -> Result<Response, MoyaError> {
                nest(target)
                return result
            }
        }
        let plugin = Nesting()
        let provider = Provider(session: Session(FakeTransport.body("")), plugins: [plugin])
        plugin.provider.withLock { $0 = provider }
        #expect(await entryPoint.request(SomeTarget(tag: "outer"), from: provider).response?.statusCode == 200)
        await plugin.done.wait()
        plugin.provider.withLock { $0 = nil }
        #expect(plugin.responses.values == [200, 200, 200, 200])
    }

    @Test("fact 47: callers see a subclass's override of inflightRequests")
    func inflightOverride() async {
        final class Watching: MoyaProvider<SomeTarget>, @unchecked Sendable {
            let asked = Recorder<Int>()

            override var inflightRequests: [Endpoint: [Completion]] {
                asked.add(super.inflightRequests.count)
                return [:]
            }
        }
        let go = Promise<Void>()
        let provider = Watching(
            session: Session(
                FakeTransport { _ in
                    await go.wait()
                    return TransportResponse(status: 200)
                }
            ),
            trackInflights: true
        )
        let done = Promise<Void>()
        provider.request(SomeTarget(), callbackQueue: .global()) { _ in done.fulfill(()) }
        let base: MoyaProvider<SomeTarget> = provider
        #expect(base.inflightRequests.isEmpty)
        #expect(provider.asked.values == [1])
        go.fulfill(())
        await done.wait()
    }

    @Test("fact 62: a live request's queue replaces the provider's queue")
    func ownQueue() async {
        let key = DispatchSpecificKey<String>()
        let queues = ["provider", "request"].map { name in
            let queue = DispatchQueue(label: name)
            queue.setSpecific(key: key, value: name)
            return queue
        }
        let places = Recorder<String?>()
        var plugin = RecordingPlugin(calls: Recorder())
        plugin.onHook = { if $0 == "didReceive" { places.add(DispatchQueue.getSpecific(key: key)) } }
        let provider = Provider(
            callbackQueue: queues[0],
            session: Session(FakeTransport.body("")),
            plugins: [plugin]
        )
        for queue in [nil, queues[1]] {
            let done = Promise<Void>()
            provider.request(SomeTarget(), callbackQueue: queue) { _ in
                places.add(DispatchQueue.getSpecific(key: key))
                done.fulfill(())
            }
            await done.wait()
        }
        #expect(places.values == ["provider", "provider", "request", "request"])
    }

    @Test("fact 76: a request's token reports its cancellation, and a second cancel does nothing")
    func token() async {
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    try? await Task.sleep(for: .seconds(3_600))
                    throw URLError(.cancelled)
                }
            )
        )
        let results = Recorder<URLError.Code?>()
        let done = Promise<Void>()
        let token = provider.request(SomeTarget(), callbackQueue: .global()) {
            results.add($0.urlErrorCode)
            done.fulfill(())
        }
        #expect(!token.isCancelled)
        token.cancel()
        token.cancel()
        #expect(token.isCancelled)
        await done.wait()
        token.cancel()
        #expect(results.values == [.cancelled])
    }
}

extension Result where Success == Response, Failure == MoyaError {
    /// The status of a success or of a failure's response.
    fileprivate var text: String {
        switch self {
        case .success(let response): "\(response.statusCode)"
        case .failure(let error): "failure with \(error.response.map { "\($0.statusCode)" } ?? "nothing")"
        }
    }
}
