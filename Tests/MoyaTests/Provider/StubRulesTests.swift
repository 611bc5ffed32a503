import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("Stubs run hooks, share requests and carry errors by rules", .timeLimit(.minutes(5)))
struct StubRulesTests {
    typealias Provider = MoyaProvider<SomeTarget>

    private func provider(_ sample: EndpointSampleResponse, plugins: [any PluginType] = []) -> Provider {
        Provider(
            endpointClosure: {
                Endpoint(url: "http://h/", sampleResponseClosure: { sample }, method: $0.method, task: $0.task)
            },
            stubClosure: Provider.immediatelyStub,
            plugins: plugins
        )
    }

    @Test(
        "facts 67, 68: a delayed stub runs prepare and willSend immediately, and the other hooks after the delay in order"
    )
    func delayed() async {
        let calls = Recorder<String>()
        let clock = ManualClock()
        let provider = Provider(
            stubClosure: Provider.delayedStub(1),
            plugins: [RecordingPlugin(name: "A", calls: calls), RecordingPlugin(name: "B", calls: calls)],
            clock: clock
        )
        let done = Promise<Void>()
        provider.request(
            SomeTarget(),
            callbackQueue: .global(),
            progress: { calls.add("progress \($0.completed)") },
            completion: { _ in
                calls.add("completion")
                done.fulfill(())
            }
        )
        let before = ["A prepare", "B prepare", "A willSend", "B willSend"]
        #expect(calls.values == before)
        await clock.someoneSleeps()
        #expect(calls.values == before)
        clock.advance(by: .seconds(1))
        await done.wait()
        #expect(
            calls.values == before
                + ["A didReceive", "B didReceive", "progress true", "A process", "B process", "completion"]
        )
    }

    @Test("fact 69: an immediate stub requests its sample response once", arguments: EntryPoint.allCases)
    func sampleOnce(entryPoint: EntryPoint) async {
        let asked = Recorder<Void>()
        let provider = Provider(
            endpointClosure: { target in
                Endpoint(
                    url: "http://h/",
                    sampleResponseClosure: {
                        asked.add(())
                        return .networkResponse(200, Data())
                    },
                    method: .get,
                    task: target.task
                )
            },
            stubClosure: Provider.immediatelyStub
        )
        #expect(await entryPoint.request(SomeTarget(), from: provider).response?.statusCode == 200)
        #expect(asked.values.count == 1)
    }

    @Test(
        "fact 70: .networkResponse and .response of a stub both carry the prepared request",
        arguments: EntryPoint.allCases
    )
    func preparedRequest(entryPoint: EntryPoint) async throws {
        let url = try #require(URL(string: "http://h/"))
        let http = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        for sample in [EndpointSampleResponse.networkResponse(200, Data()), .response(http, Data())] {
            let provider = provider(sample, plugins: [RecordingPlugin(calls: Recorder(), header: ("X", "prepared"))])
            let response = await entryPoint.request(SomeTarget(), from: provider).response
            #expect(response?.request?.value(forHTTPHeaderField: "X") == "prepared")
        }
    }

    @Test("fact 71: a stubbed network error has no response", arguments: EntryPoint.allCases)
    func networkError(entryPoint: EntryPoint) async {
        let provider = provider(.networkError(NSError(domain: "test", code: 7)))
        let result = await entryPoint.request(SomeTarget(), from: provider)
        guard case .failure(.underlying(let error as NSError, nil)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.code == 7)
    }

    @Test("fact 73: the built-in stub closures ignore the target")
    func helpers() {
        for target in [SomeTarget(), SomeTarget(tag: "other")] {
            guard case .never = Provider.neverStub(target), case .immediate = Provider.immediatelyStub(target),
                case .delayed(seconds: 2.5) = Provider.delayedStub(2.5)(target)
            else {
                Issue.record("\(target)")
                return
            }
        }
    }
}
