#if canImport(Combine) || OpenCombine
import CombineMoya
import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite(
    "A subscription can be cancelled at any moment",
    .timeLimit(.minutes(5))
)
struct CancellationAttackTests {
    /// A plugin that cancels the subscription after a number of calls.
    private struct FusePlugin: PluginType {
        let left: Locked<Int>
        let calls: Recorder<String>
        let cancel: Promise<@Sendable () -> Void>

        private func note(_ hook: String) {
            calls.add(hook)
            guard
                left.withLock({ left in
                    left -= 1
                    return left == 0
                })
            else { return }
            cancel.value?()
        }

        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            note("prepare")
            return request
        }

        func willSend(_ request: any RequestType, target: any TargetType) { note("willSend") }

        func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) { note("didReceive") }

        func process(_ result: Result<Response, MoyaError>, target: any TargetType) -> Result<Response, MoyaError> {
            note("process")
            return result
        }
    }

    private final class Weak {
        weak var provider: MoyaProvider<EntryPointTarget>?
    }

    @Test(
        "a subscription that is cancelled in a plugin hook or from another thread completes at most once and is released",
        arguments: 0..<6,
        [false, true]
    )
    func attack(point: Int, tracksInflights: Bool) async {
        for round in 0..<60 {
            let calls = Recorder<String>()
            let cancel = Promise<@Sendable () -> Void>()
            let kept = Weak()
            let probe = TestSubscriber<Response>(first: .unlimited)
            do {
                let provider = MoyaProvider<EntryPointTarget>(
                    stubClosure: round % 3 == 0 ? MoyaProvider.delayedStub(0.001) : MoyaProvider.neverStub,
                    callbackQueue: .global(),
                    session: Session(transport: FakeTransport.chunks(["a", "b"])),
                    plugins: [FusePlugin(left: Locked(point), calls: calls, cancel: cancel)],
                    trackInflights: tracksInflights
                )
                kept.provider = provider
                cancel.fulfill { probe.cancel() }
                provider.requestPublisher(EntryPointTarget()).subscribe(probe)
            }
            if point == 5 {
                for _ in 0..<(round % 20) { await Task.yield() }
                DispatchQueue.global().async { probe.cancel() }
                probe.cancel()
            }
            // The request ends in any case, and then releases its provider.
            let end = ContinuousClock.now + .seconds(60)
            while kept.provider != nil, ContinuousClock.now < end { await Task.yield() }
            #expect(kept.provider == nil)
            #expect(probe.completions.count <= 1)
            #expect(probe.values.count <= 1)
            let count = { (hook: String) in calls.values.count { $0 == hook } }
            #expect(count("prepare") == count("willSend"))
            #expect(count("willSend") <= 1)
            #expect(count("didReceive") == 1)
            #expect(count("process") == 1)
        }
    }
}
#endif
