#if canImport(Combine) || OpenCombine
import CombineMoya
import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

@Suite("A publisher sends a request and publishes its response", .timeLimit(.minutes(5)))
struct RequestPublisherTests {
    typealias Provider = MoyaProvider<EntryPointTarget>

    @Test(
        "fact 140: a publisher sends no request before a subscription, each subscription sends one, and stubs complete immediately"
    )
    func cold() {
        let asked = Recorder<Void>()
        let provider = Provider(
            endpointClosure: { target in
                asked.add(())
                return Provider.defaultEndpointMapping(for: target)
            },
            stubClosure: Provider.immediatelyStub
        )
        let publisher = provider.requestPublisher(EntryPointTarget())
        let withProgress = provider.requestWithProgressPublisher(EntryPointTarget())
        #expect(asked.values.isEmpty)
        for count in 1...3 {
            let texts = Recorder<String>()
            let subscription = publisher.mapString().sink { _ in
                texts.add("end")
            } receiveValue: {
                texts.add($0)
            }
            #expect(texts.values == [#"{"message":"sample"}"#, "end"])
            #expect(asked.values.count == count)
            subscription.cancel()
        }
        let values = Recorder<Int?>()
        let subscription = withProgress.sink { _ in
        } receiveValue: {
            values.add($0.response?.statusCode)
        }
        #expect(values.values == [200])
        #expect(asked.values.count == 4)
        subscription.cancel()
    }

    @Test("fact 140: a publisher sends its request at the first demand")
    func firstDemand() {
        let provider = ManualProvider()
        let probe = TestSubscriber<Response>(first: .none)
        provider.requestPublisher(EntryPointTarget()).subscribe(probe)
        #expect(provider.requests.values.isEmpty)
        probe.request(.none)
        #expect(provider.requests.values.isEmpty)
        probe.request(.max(1))
        #expect(provider.requests.values.count == 1)
    }

    @Test(
        "fact 140: releasing a subscription while the server stalls closes the connection",
        arguments: [
            Misbehavior.neverResponds, .stallsInBody,
        ]
    )
    func dropped(stalling: Misbehavior) async throws {
        let server = try await MisbehavingServer()
        let path = "/\(stalling.rawValue)"
        let heard = Recorder<String>()
        do {
            var subscriptions = Set<AnyCancellable>()
            Provider().requestWithProgressPublisher(
                EntryPointTarget(server.url(stalling)),
                callbackQueue: .global()
            )
            .filterCompleted()
            .mapString()
            .sink { _ in
                heard.add("end")
            } receiveValue: {
                heard.add($0)
            }
            .store(in: &subscriptions)
            #expect(await server.wait(for: .request(path: path)))
            subscriptions.removeAll()
        }
        #expect(await server.wait(for: .closed(path: path)))
        #expect(heard.values.isEmpty)
        try await server.shutDown()
    }

    @Test("fact 141: a publisher publishes one response and completes, or fails")
    func oneOrOther() async {
        let answered = TestSubscriber<Response>(first: .unlimited)
        let failed = TestSubscriber<Response>(first: .unlimited)
        let provider = ManualProvider()
        provider.requestPublisher(EntryPointTarget()).subscribe(answered)
        provider.requestPublisher(EntryPointTarget()).subscribe(failed)
        provider.requests.values[0].end(.success(.text("a")))
        provider.requests.values[1].end(.failure(.statusCode(.text("b", status: 500))))
        #expect(answered.values == [.text("a")])
        #expect(answered.hasFinished)
        #expect(failed.values.isEmpty)
        #expect(failed.completions.count == 1)
        #expect(failed.completions.first??.response == .text("b", status: 500))
    }

    @Test("fact 142: a publisher and its subscription keep the provider until they end")
    func retention() async {
        let gate = Promise<Void>()
        let kept = Weak()
        func make() -> Provider {
            let provider = Provider(
                session: Session(
                    transport: FakeTransport { _ in
                        await gate.wait()
                        return TransportResponse(status: 200)
                    }
                )
            )
            kept.provider = provider
            return provider
        }
        var publisher: AnyPublisher<Response, MoyaError>? = make()
            .requestPublisher(EntryPointTarget(), callbackQueue: .global())
        #expect(kept.provider != nil)
        let probe = TestSubscriber<Response>(first: .unlimited)
        publisher?.subscribe(probe)
        publisher = nil
        #expect(kept.provider != nil)
        gate.fulfill(())
        await probe.wait()
        #expect(probe.values.map(\.statusCode) == [200])
        await kept.isGone()

        // The subscriber still retains its subscriptions, which have released everything.
        let cancelled = TestSubscriber<ProgressResponse>(first: .unlimited)
        make().requestWithProgressPublisher(EntryPointTarget(), callbackQueue: .global()).subscribe(cancelled)
        cancelled.cancel()
        await kept.isGone()
        let idle = TestSubscriber<Response>(first: .none)
        make().requestPublisher(EntryPointTarget()).subscribe(idle)
        #expect(kept.provider != nil)
        idle.cancel()
        await kept.isGone()
        #expect(cancelled.completions.isEmpty && idle.completions.isEmpty)
    }

    @Test(
        "a subscription releases its subscriber at its end and when it is cancelled",
        arguments: [true, false]
    )
    func subscriberIsReleased(isCancelled: Bool) {
        let provider = ManualProvider()
        weak var kept: TestSubscriber<Response>?
        do {
            let probe = TestSubscriber<Response>(first: .unlimited)
            kept = probe
            provider.requestPublisher(EntryPointTarget()).subscribe(probe)
            if isCancelled { probe.cancel() } else { provider.requests.values[0].end(.success(.text(""))) }
        }
        // The provider still retains the completion.
        #expect(provider.requests.values.count == 1)
        #expect(kept == nil)
    }

    @Test("fact 146: a subscription sends one request for any demand")
    func oneExchange() async {
        let sent = Recorder<Void>()
        let provider = Provider(
            session: Session(
                transport: FakeTransport { _ in
                    sent.add(())
                    return TransportResponse(status: 200, body: .complete(Data("once".utf8)))
                }
            )
        )
        let probe = TestSubscriber<Response>(first: .max(1)) { _, _ in .max(3) }
        let publisher = provider.requestPublisher(EntryPointTarget(), callbackQueue: .global())
        publisher.subscribe(probe)
        for _ in 0..<10 { probe.request(.max(1)) }
        probe.request(.unlimited)
        await probe.wait()
        probe.request(.max(1))
        #expect(probe.values.map { String(decoding: $0.data, as: UTF8.self) } == ["once"])
        #expect(probe.hasFinished)
        #expect(sent.values.count == 1)
        let other = TestSubscriber<Response>(first: .max(1))
        publisher.subscribe(other)
        await other.wait()
        #expect(sent.values.count == 2)
    }

    @Test("fact 148: a publisher passes its queue to the provider, and the provider's queue is the default")
    func queue() async {
        let manual = ManualProvider(callbackQueue: DispatchQueue(named: "provider's"))
        let probe = TestSubscriber<Response>(first: .unlimited)
        manual.requestPublisher(EntryPointTarget()).subscribe(probe)
        let queue = DispatchQueue(named: "wanted")
        let other = TestSubscriber<ProgressResponse>(first: .unlimited)
        manual.requestWithProgressPublisher(EntryPointTarget(), callbackQueue: queue).subscribe(other)
        #expect(manual.requests.values.map { $0.queue === queue } == [false, true])
        #expect(manual.requests.values[0].queue == nil)

        let place = Promise<String?>()
        let stub = Provider(stubClosure: Provider.immediatelyStub)
        let subscription = stub.requestPublisher(EntryPointTarget(), callbackQueue: queue)
            .sink { _ in
            } receiveValue: { _ in
                place.fulfill(DispatchQueue.currentName)
            }
        #expect(await place.wait() == "wanted")
        subscription.cancel()
    }

    @Test("a subscription that is cancelled while its subscriber receives a value does not complete")
    func cancelWithin() {
        let provider = ManualProvider()
        let probe = TestSubscriber<Response>(first: .unlimited) { probe, _ in
            probe.cancel()
            return .unlimited
        }
        provider.requestPublisher(EntryPointTarget()).subscribe(probe)
        provider.requests.values[0].end(.success(.text("a")))
        #expect(probe.values == [.text("a")])
        #expect(probe.completions.isEmpty)
    }

    @Test("a subscription that is cancelled while an immediate stub responds does not complete")
    func cancelWithinStub() {
        let provider = Provider(stubClosure: Provider.immediatelyStub)
        let probe = TestSubscriber<Response>(first: .unlimited) { probe, _ in
            probe.cancel()
            return .none
        }
        provider.requestPublisher(EntryPointTarget()).subscribe(probe)
        #expect(probe.values.count == 1)
        #expect(probe.completions.isEmpty)
    }

    @Test("cancelling a subscription cancels its request once, and not after the end")
    func cancelOnce() {
        let provider = ManualProvider()
        let probe = TestSubscriber<Response>(first: .unlimited)
        provider.requestPublisher(EntryPointTarget()).subscribe(probe)
        probe.cancel()
        probe.cancel()
        #expect(provider.cancellations.values.count == 1)
        provider.requests.values[0].end(.failure(.requestMapping("late")))
        #expect(probe.values.isEmpty && probe.completions.isEmpty)
        let other = TestSubscriber<Response>(first: .unlimited)
        provider.requestPublisher(EntryPointTarget()).subscribe(other)
        provider.requests.values[1].end(.success(.text("b")))
        other.cancel()
        #expect(provider.cancellations.values.count == 1)
    }

    @Test("a provider that completes twice completes the subscription once")
    func twice() {
        let provider = ManualProvider()
        let probe = TestSubscriber<Response>(first: .unlimited)
        provider.requestPublisher(EntryPointTarget()).subscribe(probe)
        provider.requests.values[0].end(.success(.text("a")))
        provider.requests.values[0].end(.success(.text("b")))
        provider.requests.values[0].end(.failure(.requestMapping("")))
        #expect(probe.values == [.text("a")])
        #expect(probe.completions.count == 1)
    }
}

/// Reports whether a provider exists, without retaining it.
private final class Weak {
    weak var provider: MoyaProvider<EntryPointTarget>?

    /// Checks that the provider is released; another thread may be releasing the last reference.
    func isGone(isolation: isolated (any Actor)? = #isolation) async {
        let end = ContinuousClock.now + .seconds(60)
        while provider != nil, ContinuousClock.now < end { await Task.yield() }
        #expect(provider == nil)
    }
}
#endif
