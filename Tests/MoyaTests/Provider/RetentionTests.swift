import Foundation
import Moya
import MoyaHTTP
import Testing

@Suite("What a request keeps")
struct RetentionTests {
    typealias Provider = MoyaProvider<SomeTarget>

    /// A way to set a provider up.
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
        "nothing of a request that has ended keeps its provider, its token included",
        arguments: Setup.all,
        Door.allCases
    )
    func ended(setup: Setup, door: Door) async {
        let kept = Weak()
        do {
            let provider = setup.make()
            kept.provider = provider
            #expect(await door.request(SomeTarget(), from: provider).response != nil)
        }
        await kept.isGone()
        let token: any Cancellable
        do {
            let provider = setup.make()
            kept.provider = provider
            let done = OneShot<Void>()
            token = provider.request(SomeTarget(), callbackQueue: .global()) { _ in done.fulfil(()) }
            await done.wait()
        }
        await kept.isGone()
        token.cancel()
    }

    @Test("nor does a cancelled one", arguments: Setup.all)
    func cancelled(setup: Setup) async {
        let kept = Weak()
        do {
            let provider = setup.make()
            kept.provider = provider
            let done = OneShot<Void>()
            let token = provider.request(SomeTarget(), callbackQueue: .global()) { _ in done.fulfil(()) }
            token.cancel()
            await done.wait()
        }
        await kept.isGone()
    }

    /// Sees whether a provider is there, and does not keep it.
    private final class Weak {
        weak var provider: Provider?

        /// The last reference may be one that a thread is just letting go of.
        func isGone(isolation: isolated (any Actor)? = #isolation) async {
            let end = ContinuousClock.now + .seconds(10)
            while provider != nil, ContinuousClock.now < end { await Task.yield() }
            #expect(provider == nil)
        }
    }
}
