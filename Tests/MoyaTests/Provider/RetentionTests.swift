import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A provider lives until its requests have ended")
struct RetentionTests {
    typealias Provider = MoyaProvider<SomeTarget>

    /// A configuration of a provider.
    struct Setup: Sendable, CustomTestStringConvertible {
        var isStubbed: Bool
        var tracksInflights: Bool

        static let all = [false, true].flatMap { isStubbed in
            [false, true].map { Setup(isStubbed: isStubbed, tracksInflights: $0) }
        }

        func make() -> Provider {
            Provider(
                stubClosure: isStubbed ? Provider.immediatelyStub : Provider.neverStub,
                session: Session(FakeTransport.body("")),
                trackInflights: tracksInflights
            )
        }

        var testDescription: String { "stubbed \(isStubbed), tracking \(tracksInflights)" }
    }

    @Test(
        "neither a request that has ended nor its token keeps the provider",
        arguments: Setup.all,
        EntryPoint.allCases
    )
    func ended(setup: Setup, entryPoint: EntryPoint) async {
        let kept = Weak()
        do {
            let provider = setup.make()
            kept.provider = provider
            #expect(await entryPoint.request(SomeTarget(), from: provider).response != nil)
        }
        await kept.isGone()
        let token: any Cancellable
        do {
            let provider = setup.make()
            kept.provider = provider
            let done = Promise<Void>()
            token = provider.request(SomeTarget(), callbackQueue: .global()) { _ in done.fulfill(()) }
            await done.wait()
        }
        await kept.isGone()
        token.cancel()
    }

    @Test("a cancelled request does not keep the provider", arguments: Setup.all)
    func cancelled(setup: Setup) async {
        let kept = Weak()
        do {
            let provider = setup.make()
            kept.provider = provider
            let done = Promise<Void>()
            let token = provider.request(SomeTarget(), callbackQueue: .global()) { _ in done.fulfill(()) }
            token.cancel()
            await done.wait()
        }
        await kept.isGone()
    }

    @Test(
        "fact 46: a running request keeps the provider without another reference to provider or token",
        arguments: [false, true],
        [false, true]
    )
    func underWay(isDelayed: Bool, tracksInflights: Bool) async {
        let kept = Weak()
        let go = Promise<Void>()
        let clock = ManualClock()
        let result = Promise<Result<Response, MoyaError>>()
        do {
            let provider = Provider(
                stubClosure: isDelayed ? Provider.delayedStub(1) : Provider.neverStub,
                session: Session(
                    FakeTransport { _ in
                        await go.wait()
                        return TransportResponse(status: 200)
                    }
                ),
                trackInflights: tracksInflights,
                clock: clock
            )
            kept.provider = provider
            provider.request(SomeTarget(), callbackQueue: .global()) { result.fulfill($0) }
        }
        if isDelayed {
            await clock.someoneSleeps()
            #expect(kept.provider != nil)
            clock.advance(by: .seconds(1))
        } else {
            #expect(kept.provider != nil)
            go.fulfill(())
        }
        #expect(await result.wait().response?.statusCode == 200)
        await kept.isGone()
    }

    @Test("a request whose closure fails later does not keep the provider", arguments: [false, true])
    func mappedLater(tracksInflights: Bool) async {
        let kept = Weak()
        let result = Promise<Result<Response, MoyaError>>()
        do {
            let provider = Provider(
                requestClosure: { _, done in
                    DispatchQueue.global().async { done(.failure(.requestMapping("closed"))) }
                },
                session: Session(FakeTransport.body("")),
                trackInflights: tracksInflights
            )
            kept.provider = provider
            provider.request(SomeTarget(), callbackQueue: .global()) { result.fulfill($0) }
        }
        #expect(await result.wait().response == nil)
        await kept.isGone()
    }

    /// A weak reference to a provider.
    private final class Weak {
        weak var provider: Provider?

        /// Expects the release of the provider; waits, because another thread may be releasing the last reference.
        func isGone(isolation: isolated (any Actor)? = #isolation) async {
            let end = ContinuousClock.now + .seconds(60)
            while provider != nil, ContinuousClock.now < end { await Task.yield() }
            #expect(provider == nil)
        }
    }
}
