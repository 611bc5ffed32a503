import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A stub completes without a network")
struct StubTests {
    typealias Provider = MoyaProvider<SomeTarget>

    @Test("fact 63: an immediate stub without a queue completes before request returns, on the caller's thread")
    func immediate() {
        let provider = Provider(stubClosure: Provider.immediatelyStub)
        let thread = Recorder<ObjectIdentifier>()
        let results = Recorder<Result<Response, MoyaError>>()
        provider.request(SomeTarget()) {
            thread.add(ObjectIdentifier(Thread.current))
            results.add($0)
        }
        #expect(thread.values == [ObjectIdentifier(Thread.current)])
        #expect(results.values.first?.response?.data == Data("sample".utf8))
        #expect(results.values.first?.response?.statusCode == 200)
    }

    @Test("facts 62, 63: a stub with a queue completes on it, and the request's queue replaces the provider's queue")
    func immediateOnQueue() async {
        let key = DispatchSpecificKey<String>()
        let own = DispatchQueue(label: "provider")
        let wanted = DispatchQueue(label: "request")
        own.setSpecific(key: key, value: "provider")
        wanted.setSpecific(key: key, value: "request")
        let provider = Provider(stubClosure: Provider.immediatelyStub, callbackQueue: own)
        let first = Promise<String?>()
        provider.request(SomeTarget()) { _ in first.fulfill(DispatchQueue.getSpecific(key: key)) }
        #expect(await first.wait() == "provider")
        let second = Promise<String?>()
        provider.request(SomeTarget(), callbackQueue: wanted) { _ in
            second.fulfill(DispatchQueue.getSpecific(key: key))
        }
        #expect(await second.wait() == "request")
    }

    @Test("a delayed stub completes after its delay, and not before", arguments: EntryPoint.allCases)
    func delayed(entryPoint: EntryPoint) async {
        let clock = ManualClock()
        let provider = Provider(stubClosure: Provider.delayedStub(2), clock: clock)
        let answered = Promise<Void>()
        let task = Task {
            let result = await entryPoint.request(SomeTarget(), from: provider)
            answered.fulfill(())
            return result
        }
        await clock.someoneSleeps()
        clock.advance(by: .seconds(1.5))
        #expect(answered.value == nil)
        clock.advance(by: .seconds(0.5))
        #expect(await task.value.response?.data == Data("sample".utf8))
    }

    @Test("fact 64: a delayed stub completes on its queue, or on the main queue by default")
    func delayedQueue() async {
        let clock = ManualClock()
        let provider = Provider(stubClosure: Provider.delayedStub(1), clock: clock)
        let isMain = Promise<Bool>()
        provider.request(SomeTarget()) { _ in isMain.fulfill(isOnMainQueue) }
        await clock.someoneSleeps()
        clock.advance(by: .seconds(1))
        #expect(await isMain.wait())
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "wanted")
        queue.setSpecific(key: key, value: true)
        let isWanted = Promise<Bool?>()
        provider.request(SomeTarget(), callbackQueue: queue) { _ in
            isWanted.fulfill(DispatchQueue.getSpecific(key: key))
        }
        await clock.someoneSleeps()
        clock.advance(by: .seconds(1))
        #expect(await isWanted.wait() == true)
    }

    @Test("an invalid delay of a stub does not crash the process", arguments: [.nan, -1, 0] as [Double])
    func strangeDelay(seconds: Double) async {
        let provider = Provider(stubClosure: Provider.delayedStub(seconds))
        #expect(await EntryPoint.async.request(SomeTarget(), from: provider).response != nil)
    }

    @Test(
        "fact 67: prepare, willSend, didReceive and process of a stub each run for all plugins in this order",
        arguments: EntryPoint.allCases
    )
    func order(entryPoint: EntryPoint) async {
        let calls = Recorder<String>()
        let provider = Provider(
            stubClosure: Provider.immediatelyStub,
            plugins: [RecordingPlugin(name: "A", calls: calls), RecordingPlugin(name: "B", calls: calls)]
        )
        _ = await entryPoint.request(SomeTarget(), from: provider)
        #expect(
            calls.values == [
                "A prepare", "B prepare", "A willSend", "B willSend",
                "A didReceive", "B didReceive", "A process", "B process",
            ]
        )
    }

    @Test("fact 67: prepare and willSend run before request returns, also for delayed stubs and with a queue")
    func preparedAtOnce() {
        let calls = Recorder<String>()
        let provider = Provider(
            stubClosure: Provider.delayedStub(1),
            plugins: [RecordingPlugin(calls: calls)],
            clock: ManualClock()
        )
        let token = provider.request(SomeTarget(), callbackQueue: .global()) { _ in }
        #expect(calls.values == ["prepare", "willSend"])
        token.cancel()
    }

    @Test("fact 68: a stub makes one progress call with its response, before the completion")
    func progress() {
        let provider = Provider(stubClosure: Provider.immediatelyStub)
        let calls = Recorder<String>()
        provider.request(
            SomeTarget(),
            progress: { calls.add("progress \($0.progress) \($0.completed)") },
            completion: { _ in calls.add("completion") }
        )
        #expect(calls.values == ["progress 1.0 true", "completion"])
    }

    @Test("fact 69: the sample response is requested once when the stub completes, and not if the stub is cancelled")
    func sampleOnce() async {
        let asked = Recorder<Void>()
        let clock = ManualClock()
        let provider = Provider(
            endpointClosure: { target in
                Endpoint(
                    url: "http://h/",
                    sampleResponseClosure: {
                        asked.add(())
                        return .networkResponse(204, Data())
                    },
                    method: .get,
                    task: target.task
                )
            },
            stubClosure: Provider.delayedStub(1),
            clock: clock
        )
        let task = Task { await EntryPoint.callback.request(SomeTarget(), from: provider) }
        await clock.someoneSleeps()
        #expect(asked.values.isEmpty)
        clock.advance(by: .seconds(1))
        #expect(await task.value.response?.statusCode == 204)
        #expect(asked.values.count == 1)
        let cancelled = Task { await EntryPoint.callback.request(SomeTarget(), from: provider) }
        await clock.someoneSleeps()
        cancelled.cancel()
        #expect(await cancelled.value.urlErrorCode == .cancelled)
        #expect(asked.values.count == 1)
    }

    @Test("fact 70: each sample response of a stub gives its result", arguments: EntryPoint.allCases)
    func samples(entryPoint: EntryPoint) async throws {
        let url = try #require(URL(string: "http://h/"))
        let http = try #require(HTTPURLResponse(url: url, statusCode: 418, httpVersion: nil, headerFields: ["A": "b"]))
        func provider(_ sample: EndpointSampleResponse) -> Provider {
            Provider(
                endpointClosure: {
                    Endpoint(url: "http://h/", sampleResponseClosure: { sample }, method: $0.method, task: $0.task)
                },
                stubClosure: Provider.immediatelyStub
            )
        }
        let plain = await entryPoint.request(SomeTarget(), from: provider(.networkResponse(201, Data("a".utf8))))
            .response
        #expect(plain?.statusCode == 201)
        #expect(plain?.response == nil)
        #expect(plain?.request?.url == url)
        let full = await entryPoint.request(SomeTarget(), from: provider(.response(http, Data("b".utf8)))).response
        #expect(full?.statusCode == 418)
        #expect(full?.response === http)
        #expect(full?.data == Data("b".utf8))
    }

    @Test("fact 71: a stubbed network error arrives unchanged", arguments: EntryPoint.allCases)
    func networkError(entryPoint: EntryPoint) async {
        let error = NSError(domain: "test", code: 7, userInfo: [NSLocalizedDescriptionKey: "No luck."])
        let provider = Provider(
            endpointClosure: {
                Endpoint(
                    url: "http://h/",
                    sampleResponseClosure: { .networkError(error) },
                    method: $0.method,
                    task: $0.task
                )
            },
            stubClosure: Provider.immediatelyStub
        )
        let result = await entryPoint.request(SomeTarget(), from: provider)
        #expect(result.underlying as? NSError == error)
        #expect(throws: MoyaError.self) { try result.get() }
        if case .failure(let error) = result { #expect(error.localizedDescription == "No luck.") }
    }

    @Test("fact 72: stubs are validated, and the error has the response", arguments: EntryPoint.allCases)
    func validation(entryPoint: EntryPoint) async {
        let provider = Provider(
            endpointClosure: {
                Endpoint(
                    url: "http://h/",
                    sampleResponseClosure: { .networkResponse(500, Data("oops".utf8)) },
                    method: $0.method,
                    task: $0.task
                )
            },
            stubClosure: Provider.immediatelyStub
        )
        let accepted = await entryPoint.request(SomeTarget(), from: provider)
        #expect(accepted.response?.statusCode == 500)
        let refused = await entryPoint.request(SomeTarget(validationType: .successCodes), from: provider)
        guard case .failure(.underlying(MoyaError.statusCode(let inner), let response?)) = refused else {
            Issue.record("\(refused)")
            return
        }
        #expect(inner === response)
        #expect(response.data == Data("oops".utf8))
    }

    @Test("fact 73: each target has a separate stub behavior")
    func perTarget() {
        let provider = Provider(stubClosure: { $0.tag == "stubbed" ? .immediate : .never })
        let completed = Recorder<String>()
        provider.request(SomeTarget(tag: "stubbed")) { _ in completed.add("stubbed") }
        let token = provider.request(SomeTarget(tag: "live")) { _ in completed.add("live") }
        #expect(completed.values == ["stubbed"])
        token.cancel()
    }

    @Test("fact 66: stubRequest with .never fails with a text that names the target and the remedy")
    func never() async throws {
        let provider = Provider()
        let results = Recorder<Result<Response, MoyaError>>()
        let target = SomeTarget()
        let endpoint = provider.endpoint(target)
        provider.stubRequest(
            target,
            request: try endpoint.urlRequest(),
            callbackQueue: nil,
            completion: { results.add($0) },
            endpoint: endpoint,
            stubBehavior: .never
        )
        #expect(
            results.values.first?.underlying?.localizedDescription
                == "SomeTarget: `stubBehavior`: stubRequest was called for a request that is not stubbed."
                + " Instead, call request, or pass .immediate or .delayed(seconds:)."
        )
    }

    @Test(
        "fact 79: a cancelled delayed stub completes immediately with URLError.cancelled",
        arguments: EntryPoint.allCases
    )
    func cancelDelayed(entryPoint: EntryPoint) async {
        let clock = ManualClock()
        let provider = Provider(stubClosure: Provider.delayedStub(3_600), clock: clock)
        let task = Task { await entryPoint.request(SomeTarget(), from: provider) }
        await clock.someoneSleeps()
        task.cancel()
        #expect(await task.value.urlErrorCode == .cancelled)
    }

    @Test("fact 75: willSend of a stub has the prepared request and the session's headers")
    func requestType() {
        struct Look: PluginType {
            let seen: Recorder<String?>
            func willSend(_ request: any RequestType, target: any TargetType) {
                seen.add(request.request?.value(forHTTPHeaderField: "X"))
                seen.add(request.sessionHeaders["S"])
            }
        }
        let configuration = URLSessionConfiguration.default
        configuration.headers = ["S": "session"]
        let seen = Recorder<String?>()
        let provider = Provider(
            stubClosure: Provider.immediatelyStub,
            session: Session(configuration: configuration),
            plugins: [RecordingPlugin(calls: Recorder(), header: ("X", "prepared")), Look(seen: seen)]
        )
        provider.request(SomeTarget()) { _ in }
        #expect(seen.values == ["prepared", "session"])
    }

    @Test("fact 74: a stub sends nothing over the network")
    func sendsNothing() async {
        struct Refusal: HTTPTransport {
            func send(_ request: TransportRequest) async throws -> TransportResponse {
                Issue.record("something was sent")
                throw URLError(.unknown)
            }
            func shutdown() async {}
        }
        let provider = Provider(stubClosure: Provider.immediatelyStub, session: Session(transport: Refusal()))
        #expect(await EntryPoint.async.request(SomeTarget(), from: provider).response != nil)
    }
}
