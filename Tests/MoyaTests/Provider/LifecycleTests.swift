import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A live request runs its closures and hooks in order")
struct LifecycleTests {
    typealias Provider = MoyaProvider<SomeTarget>

    @Test("fact 1: endpoint and stub closures are called once, on the caller's thread, before request returns")
    func closures() {
        let calls = Recorder<String>()
        let thread = ObjectIdentifier(Thread.current)
        let provider = Provider(
            endpointClosure: {
                calls.add("endpoint \(ObjectIdentifier(Thread.current) == thread)")
                return Provider.defaultEndpointMapping(for: $0)
            },
            stubClosure: { _ in
                calls.add("stub \(ObjectIdentifier(Thread.current) == thread)")
                return .never
            },
            session: Session(FakeTransport.body(""))
        )
        let token = provider.request(SomeTarget()) { _ in }
        #expect(calls.values == ["endpoint true", "stub true"])
        token.cancel()
    }

    @Test("facts 28, 29: the hooks of a live request run in order", arguments: EntryPoint.allCases)
    func order(entryPoint: EntryPoint) async {
        let calls = Recorder<String>()
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    calls.add("network")
                    return TransportResponse(status: 200)
                }
            ),
            plugins: [RecordingPlugin(name: "A", calls: calls), RecordingPlugin(name: "B", calls: calls)]
        )
        _ = await entryPoint.request(SomeTarget(), from: provider)
        #expect(
            calls.values == [
                "A prepare", "B prepare", "A willSend", "B willSend", "network",
                "A didReceive", "B didReceive", "A process", "B process",
            ]
        )
    }

    @Test("fact 29: the hooks prepare and process pass the value from plugin to plugin", arguments: EntryPoint.allCases)
    func threading(entryPoint: EntryPoint) async {
        let calls = Recorder<String>()
        let append: @Sendable (String) -> @Sendable (Result<Response, MoyaError>) -> Result<Response, MoyaError> = {
            text in { $0.map { Response(statusCode: $0.statusCode, data: $0.data + Data(text.utf8)) } }
        }
        let provider = Provider(
            session: Session(
                FakeTransport {
                    TransportResponse(status: 200, body: .complete(Data(($0.headers.last?.value ?? "").utf8)))
                }
            ),
            plugins: [
                RecordingPlugin(calls: calls, header: ("X", "a"), replacement: append("1")),
                RecordingPlugin(calls: calls, header: ("X", "b"), replacement: append("2")),
            ]
        )
        let result = await entryPoint.request(SomeTarget(), from: provider)
        #expect(result.response.map { String(decoding: $0.data, as: UTF8.self) } == "a,b12")
    }

    @Test("facts 31, 41: willSend gets the session's headers and the prepared request, which the response also has")
    func willSend() async {
        struct Look: PluginType {
            let seen: Recorder<String>
            func willSend(_ request: any RequestType, target: any TargetType) {
                seen.add(request.request?.value(forHTTPHeaderField: "X") ?? "none")
                seen.add(request.sessionHeaders["S"] ?? "none")
                request.cURLDescription { seen.add($0) }
            }
        }
        let configuration = URLSessionConfiguration.default
        configuration.headers = ["S": "session"]
        let seen = Recorder<String>()
        let provider = Provider(
            session: Session(transport: FakeTransport.body(""), configuration: configuration),
            plugins: [Look(seen: seen), RecordingPlugin(calls: Recorder(), header: ("X", "prepared"))]
        )
        let response = await EntryPoint.async.request(SomeTarget(), from: provider).response
        #expect(seen.values.prefix(2) == ["prepared", "session"])
        #expect(
            seen.values.last?.withoutUsualHeaders
                == "$ curl -v \\\n\t-X GET \\\n\t-H \"S: session\" \\\n\t-H \"X: prepared\" \\\n\t\"http://127.0.0.1:9/thing\""
        )
        #expect(response?.request?.value(forHTTPHeaderField: "X") == "prepared")
    }

    @Test(
        "fact 32: results of a live request arrive on the callback queue, including didReceive and process",
        arguments: EntryPoint.allCases
    )
    func queue(entryPoint: EntryPoint) async {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "wanted")
        queue.setSpecific(key: key, value: true)
        let hooks = Recorder<String>()
        var plugin = RecordingPlugin(calls: Recorder())
        plugin.onHook = { hooks.add("\($0) \(DispatchQueue.getSpecific(key: key) ?? false)") }
        let provider = Provider(callbackQueue: queue, session: Session(FakeTransport.body("")), plugins: [plugin])
        switch entryPoint {
        case .callback:
            let done = Promise<Bool>()
            provider.request(SomeTarget()) { _ in done.fulfill(DispatchQueue.getSpecific(key: key) ?? false) }
            #expect(await done.wait())
        case .async:
            _ = await entryPoint.request(SomeTarget(), from: provider)
        }
        #expect(hooks.values.suffix(2) == ["didReceive true", "process true"])
    }

    @Test("fact 62: results of live requests arrive on the main queue by default")
    func mainQueue() async {
        let provider = Provider(session: Session(FakeTransport.body("")))
        let isMain = Promise<Bool>()
        provider.request(SomeTarget()) { _ in isMain.fulfill(isOnMainQueue) }
        #expect(await isMain.wait())
    }

    @Test("fact 33: only the completion of a request gets the result of process", arguments: EntryPoint.allCases)
    func replacement(entryPoint: EntryPoint) async {
        let calls = Recorder<String>()
        var plugin = RecordingPlugin(calls: calls)
        plugin.replacement = { $0.map { Response(statusCode: -1, data: $0.data) } }
        let provider = Provider(session: Session(FakeTransport.body("")), plugins: [plugin])
        #expect(await entryPoint.request(SomeTarget(), from: provider).response?.statusCode == -1)
        let progress = Recorder<Int?>()
        let done = Promise<Void>()
        provider.request(
            SomeTarget(),
            callbackQueue: .global(),
            progress: { progress.add($0.response?.statusCode) },
            completion: { _ in done.fulfill(()) }
        )
        await done.wait()
        #expect(progress.values.last == 200)
    }

    @Test(
        "fact 36: a mapping failure of a live request runs only process and the completion",
        arguments: EntryPoint.allCases
    )
    func mappingFailure(entryPoint: EntryPoint) async {
        let calls = Recorder<String>()
        let provider = Provider(
            requestClosure: { _, done in done(.failure(.requestMapping("nonsense"))) },
            plugins: [RecordingPlugin(calls: calls)]
        )
        let result = await entryPoint.request(SomeTarget(), from: provider)
        guard case .failure(.requestMapping("nonsense")) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(calls.values == ["process"])
    }

    @Test("facts 36, 65: a mapping failure completes synchronously without a queue, and otherwise on the queue")
    func mappingFailureQueue() async {
        let provider = Provider(requestClosure: { _, done in done(.failure(.requestMapping(""))) })
        let completed = Recorder<Void>()
        provider.request(SomeTarget()) { _ in completed.add(()) }
        #expect(completed.values.count == 1)
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "wanted")
        queue.setSpecific(key: key, value: true)
        let isThere = Promise<Bool?>()
        provider.request(SomeTarget(), callbackQueue: queue) { _ in isThere.fulfill(DispatchQueue.getSpecific(key: key))
        }
        #expect(await isThere.wait() == true)
    }

    @Test("fact 37: the request closure may call back later, on any thread", arguments: EntryPoint.allCases)
    func laterMapping(entryPoint: EntryPoint) async {
        let provider = Provider(
            requestClosure: { endpoint, done in
                DispatchQueue.global().async { Provider.defaultRequestMapping(for: endpoint, closure: done) }
            },
            session: Session(FakeTransport.body("later"))
        )
        #expect(await entryPoint.request(SomeTarget(), from: provider).response?.data == Data("later".utf8))
    }

    @Test(
        "a request closure that calls back twice sends and completes the request once",
        arguments: EntryPoint.allCases
    )
    func mappingTwice(entryPoint: EntryPoint) async {
        let sent = Recorder<Void>()
        let provider = Provider(
            requestClosure: { endpoint, done in
                Provider.defaultRequestMapping(for: endpoint, closure: done)
                Provider.defaultRequestMapping(for: endpoint, closure: done)
                done(.failure(.requestMapping("")))
            },
            session: Session(
                FakeTransport { _ in
                    sent.add(())
                    return TransportResponse(status: 200)
                }
            )
        )
        #expect(await entryPoint.request(SomeTarget(), from: provider).response?.statusCode == 200)
        #expect(sent.values.count == 1)
    }

    @Test(
        "facts 40, 42, 96: every status is a success without validation, and a missing body is empty data",
        arguments: EntryPoint.allCases
    )
    func statuses(entryPoint: EntryPoint) async {
        for status in [200, 204, 301, 404, 500] {
            let provider = Provider(session: Session(FakeTransport.body("", status: status)))
            let response = await entryPoint.request(SomeTarget(), from: provider).response
            #expect(response?.statusCode == status)
            #expect(response?.data == Data())
        }
    }

    @Test("fact 98: the error of a failed validation has the response", arguments: EntryPoint.allCases)
    func validation(entryPoint: EntryPoint) async {
        let provider = Provider(session: Session(FakeTransport.body("reason", status: 503)))
        let result = await entryPoint.request(SomeTarget(validationType: .successCodes), from: provider)
        guard case .failure(let error) = result, case .underlying(MoyaError.statusCode, _) = error else {
            Issue.record("\(result)")
            return
        }
        #expect(error.response?.statusCode == 503)
        #expect(error.response?.data == Data("reason".utf8))
    }

    @Test("fact 46: releasing the provider cancels no request", arguments: EntryPoint.allCases)
    func retention(entryPoint: EntryPoint) async {
        let go = Promise<Void>()
        weak var kept: Provider?
        let task: Task<Result<Response, MoyaError>, Never>
        do {
            let provider = Provider(
                session: Session(
                    FakeTransport { _ in
                        await go.wait()
                        return TransportResponse(status: 200)
                    }
                )
            )
            kept = provider
            task = Task { [provider] in await entryPoint.request(SomeTarget(), from: provider) }
        }
        go.fulfill(())
        #expect(await task.value.response?.statusCode == 200)
        _ = kept
    }

    @Test("fact 48: a request may be started from inside any plugin hook", arguments: EntryPoint.allCases)
    func nested(entryPoint: EntryPoint) async {
        let inner = Provider(stubClosure: Provider.immediatelyStub)
        let responses = Recorder<Int?>()
        var plugin = RecordingPlugin(calls: Recorder())
        plugin.onHook = { _ in inner.request(SomeTarget()) { responses.add($0.response?.statusCode) } }
        let provider = Provider(session: Session(FakeTransport.body("")), plugins: [plugin])
        _ = await entryPoint.request(SomeTarget(), from: provider)
        #expect(responses.values == [200, 200, 200, 200])
    }

    @Test("fact 47: every entry point of a provider uses a subclass's overrides", arguments: EntryPoint.allCases)
    func subclass(entryPoint: EntryPoint) async {
        final class Refreshing: MoyaProvider<SomeTarget>, @unchecked Sendable {
            let calls = Recorder<String>()

            override func endpoint(_ token: SomeTarget) -> Endpoint {
                calls.add("endpoint")
                return super.endpoint(token)
            }

            override func request(
                _ target: SomeTarget,
                callbackQueue: DispatchQueue? = .none,
                progress: ProgressBlock? = .none,
                completion: @escaping Completion
            ) -> any Cancellable {
                calls.add("request")
                return super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion)
            }

            override func stubRequest(
                _ target: SomeTarget,
                request: URLRequest,
                callbackQueue: DispatchQueue?,
                completion: @escaping Completion,
                endpoint: Endpoint,
                stubBehavior: StubBehavior
            ) -> CancellableToken {
                calls.add("stubRequest")
                let token = CancellableToken {}
                let prepared = notifyPluginsOfImpendingStub(for: request, target: target)
                let stub = createStubFunction(
                    token,
                    forTarget: target,
                    withCompletion: completion,
                    endpoint: endpoint,
                    plugins: plugins,
                    request: prepared
                )
                stub()
                return token
            }
        }
        let provider = Refreshing(stubClosure: Refreshing.immediatelyStub)
        #expect(await entryPoint.request(SomeTarget(), from: provider).response?.statusCode == 200)
        #expect(provider.calls.values == ["request", "endpoint", "stubRequest"])
    }

    @Test("fact 43: convertResponseToResult converts the values of URLSession to a result")
    func convert() throws {
        let url = try #require(URL(string: "http://h/"))
        let http = try #require(HTTPURLResponse(url: url, statusCode: 201, httpVersion: nil, headerFields: nil))
        let error = URLError(.timedOut)
        let success = convertResponseToResult(http, request: URLRequest(url: url), data: nil, error: nil)
        #expect(success.response?.statusCode == 201)
        #expect(success.response?.data == Data())
        let both = convertResponseToResult(http, request: nil, data: Data("x".utf8), error: error)
        #expect(both.urlErrorCode == .timedOut)
        if case .failure(let error) = both {
            #expect(error.response?.data == Data("x".utf8))
            #expect(error.response?.response === http)
        }
        let failure = convertResponseToResult(nil, request: nil, data: Data("x".utf8), error: error)
        #expect(failure.urlErrorCode == .timedOut)
        let neither = convertResponseToResult(nil, request: nil, data: nil, error: nil)
        #expect((neither.underlying as NSError?)?.domain == NSURLErrorDomain)
        #expect((neither.underlying as NSError?)?.code == NSURLErrorUnknown)
        for result in [failure, neither] {
            if case .failure(let error) = result { #expect(error.response == nil) }
        }
    }
}
