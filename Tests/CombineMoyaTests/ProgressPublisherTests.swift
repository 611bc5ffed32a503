#if canImport(Combine) || OpenCombine
import CombineMoya
import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A publisher reports the progress of a request", .timeLimit(.minutes(5)))
struct ProgressPublisherTests {
    typealias Provider = MoyaProvider<EntryPointTarget>

    private func text(_ progress: ProgressResponse) -> String {
        let count = progress.progressObject.map { "\($0.completedUnitCount)/\($0.totalUnitCount) " } ?? ""
        return "\(count)\(progress.progress)" + (progress.response.map { " \($0.statusCode)" } ?? "")
    }

    @Test(
        "fact 143: each progress value is merged with earlier values, the last value has the response, and the completion follows"
    )
    func values() async {
        let probe = TestSubscriber<ProgressResponse>(first: .unlimited)
        Provider(session: Session(transport: FakeTransport.chunks(["aa", "bb", "cc", "dd"])))
            .requestWithProgressPublisher(EntryPointTarget(), callbackQueue: .global())
            .subscribe(probe)
        await probe.wait()
        #expect(
            probe.values.map(text) == ["2/8 0.25", "4/8 0.5", "6/8 0.75", "8/8 1.0", "8/8 1.0 200"]
        )
        #expect(probe.hasFinished)
    }

    @Test("fact 143: a publisher of progress sends a value without a response before it fails")
    func failure() async {
        let probe = TestSubscriber<ProgressResponse>(first: .unlimited)
        let network = FakeTransport.chunks(["aa"], then: URLError(.networkConnectionLost))
        Provider(session: Session(transport: network))
            .requestWithProgressPublisher(EntryPointTarget(), callbackQueue: .global())
            .subscribe(probe)
        await probe.wait()
        #expect(probe.values.map(text) == ["2/2 1.0", "2/2 1.0"])
        #expect(probe.completions.count == 1)
        guard case .underlying(let error as URLError, _)?? = probe.completions.first else {
            Issue.record("\(probe.completions)")
            return
        }
        #expect(error.code == .networkConnectionLost)
    }

    @Test("fact 143: a progress call without a Progress object keeps the last Progress object")
    func merged() {
        let provider = ManualProvider()
        let probe = TestSubscriber<ProgressResponse>(first: .unlimited)
        provider.requestWithProgressPublisher(EntryPointTarget()).subscribe(probe)
        provider.requests.values[0].advance(to: 40)
        provider.requests.values[0].progress?(ProgressResponse())
        provider.requests.values[0].end(.success(.text("a")))
        #expect(probe.values.map(text) == ["40/100 0.4", "40/100 0.4", "40/100 1.0 200"])
    }

    @Test("the last progress value has the response that a plugin's process hook returns")
    func processed() async {
        let probe = TestSubscriber<ProgressResponse>(first: .unlimited)
        Provider(
            session: Session(transport: FakeTransport.chunks(["ab"])),
            plugins: [Replacing(result: .success(.text("changed", status: 299)))]
        )
        .requestWithProgressPublisher(EntryPointTarget(), callbackQueue: .global())
        .subscribe(probe)
        await probe.wait()
        #expect(probe.values.map(text) == ["2/2 1.0", "2/2 1.0 299"])
    }

    @Test("the last progress value has no response if a plugin replaces the response with a failure")
    func processedToFailure() async {
        let probe = TestSubscriber<ProgressResponse>(first: .unlimited)
        Provider(
            session: Session(transport: FakeTransport.chunks(["ab"])),
            plugins: [Replacing(result: .failure(.requestMapping("changed")))]
        )
        .requestWithProgressPublisher(EntryPointTarget(), callbackQueue: .global())
        .subscribe(probe)
        await probe.wait()
        #expect(probe.values.map(text) == ["2/2 1.0", "2/2 1.0"])
        guard case .requestMapping("changed")?? = probe.completions.first else {
            Issue.record("\(probe.completions)")
            return
        }
    }

    @Test("facts 68, 144: a stub publishes one progress value with its response and completes")
    func stub() async {
        for behavior in [StubBehavior.immediate, .delayed(seconds: 0.01)] {
            let probe = TestSubscriber<ProgressResponse>(first: .unlimited)
            Provider(stubClosure: { _ in behavior })
                .requestWithProgressPublisher(EntryPointTarget(), callbackQueue: .global())
                .subscribe(probe)
            await probe.wait()
            #expect(probe.values.map(text) == ["1.0 200"])
            #expect(probe.hasFinished)
        }
    }

    @Test("fact 146: the newest progress value waits for demand, and the last value is never dropped")
    func waiting() async {
        let queue = DispatchQueue(named: "wanted")
        let provider = ManualProvider()
        let places = Recorder<String?>()
        let probe = TestSubscriber<ProgressResponse>(first: .max(1)) { _, _ in
            places.add(DispatchQueue.currentName)
            return .none
        }
        provider.requestWithProgressPublisher(EntryPointTarget(), callbackQueue: queue).subscribe(probe)
        let request = provider.requests.values[0]
        queue.sync { request.advance(to: 10) }
        #expect(probe.values.map(text) == ["10/100 0.1"])
        queue.sync { for count in 11...90 { request.advance(to: Int64(count)) } }
        #expect(probe.values.count == 1)
        probe.request(.max(1))
        // When this call returns, the earlier blocks of the queue have run.
        queue.sync {}
        #expect(probe.values.map(text) == ["10/100 0.1", "90/100 0.9"])
        queue.sync { request.end(.success(.text("a"))) }
        #expect(probe.values.count == 2)
        #expect(probe.completions.isEmpty)
        probe.request(.max(1))
        await probe.wait()
        #expect(probe.values.last.map(text) == "90/100 1.0 200")
        #expect(probe.completions.count == 1)
        #expect(places.values == ["wanted", "wanted", "wanted"])
        #expect(provider.requests.values.count == 1)
    }

    @Test("a progress value that has waited for demand arrives on the provider's queue by default")
    func waitingOnProvidersQueue() async {
        let queue = DispatchQueue(named: "provider's")
        let provider = ManualProvider(callbackQueue: queue)
        let places = Recorder<String?>()
        let probe = TestSubscriber<ProgressResponse>(first: .max(1)) { _, _ in
            places.add(DispatchQueue.currentName)
            return .none
        }
        provider.requestWithProgressPublisher(EntryPointTarget()).subscribe(probe)
        queue.sync {
            provider.requests.values[0].advance(to: 10)
            provider.requests.values[0].end(.success(.text("a")))
        }
        probe.request(.max(1))
        await probe.wait()
        #expect(places.values == ["provider's", "provider's"])
    }

    @Test("demand that a subscriber adds while it receives a value is served after the subscriber returns")
    func askingWithin() {
        let provider = ManualProvider()
        let probe = TestSubscriber<ProgressResponse>(first: .max(1)) { probe, value in
            if value.progress < 0.5 {
                // More values arrive while this one is handled.
                provider.requests.values[0].advance(to: 20)
                provider.requests.values[0].advance(to: 90)
                probe.request(.max(1))
                #expect(probe.values.count == 1)
            }
            return .none
        }
        provider.requestWithProgressPublisher(EntryPointTarget()).subscribe(probe)
        provider.requests.values[0].advance(to: 10)
        #expect(probe.values.map(\.progress) == [0.1, 0.9])
    }

    @Test("a failure of a publisher does not wait for demand")
    func failureDoesNotWait() {
        let provider = ManualProvider()
        let probe = TestSubscriber<ProgressResponse>(first: .max(1))
        provider.requestWithProgressPublisher(EntryPointTarget()).subscribe(probe)
        provider.requests.values[0].advance(to: 10)
        provider.requests.values[0].advance(to: 20)
        provider.requests.values[0].end(.failure(.requestMapping("")))
        #expect(probe.values.count == 1)
        #expect(probe.completions.count == 1)
    }
}

/// A plugin that replaces the result.
private struct Replacing: PluginType {
    var result: Result<Response, MoyaError>

    func process(_: Result<Response, MoyaError>, target: any TargetType) -> Result<Response, MoyaError> { result }
}
#endif
