import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A request closure may never call back")
struct SilentRequestClosureTests {
    typealias Provider = MoyaProvider<SomeTarget>
    typealias Done = Provider.RequestResultClosure

    /// The callbacks that a request closure retains.
    private final class Kept: Sendable {
        let done = Locked<[Done]>([])
        func add(_ function: @escaping Done) { done.withLock { $0.append(function) } }
    }

    private final class Object: Sendable {}

    @Test(
        "cancelling a request with a silent closure completes it once with URLError.cancelled, and releases provider and completion",
        arguments: [false, true]
    )
    func cancelled(_ shares: Bool) async {
        let kept = Kept()
        weak var provider: Provider?
        weak var object: Object?
        let results = Recorder<MoyaError?>()
        let completed = Promise<Void>()
        func start() -> any Cancellable {
            let new = Provider(requestClosure: { _, done in kept.add(done) }, trackInflights: shares)
            let held = Object()
            (provider, object) = (new, held)
            return new.request(SomeTarget(), callbackQueue: .global()) { result in
                if case .failure(let error) = result { results.add(error) } else { results.add(nil) }
                completed.fulfill(withExtendedLifetime(held) {})
            }
        }
        var token: (any Cancellable)? = start()
        #expect(results.values.isEmpty && provider != nil)
        token?.cancel()
        token?.cancel()
        await completed.wait()
        token = nil
        // The closure still has its callback, and a late call does nothing.
        #expect(kept.done.withLock { $0.count } == 1)
        while provider != nil || object != nil { await Task.yield() }
        kept.done.withLock { $0 }.forEach { $0(.failure(.requestMapping(""))) }
        #expect(results.values.count == 1)
        #expect(results.values.first??.isCancelled == true)
    }

    @Test("a request closure that releases its callback fails the request once", arguments: EntryPoint.allCases)
    func released(_ entryPoint: EntryPoint) async {
        let provider = Provider(requestClosure: { _, _ in })
        let result = await entryPoint.request(SomeTarget(), from: provider)
        guard case .failure(.underlying(let misuse as TargetMisuse, nil)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(misuse.property == "requestClosure")
        #expect(misuse.localizedDescription.contains("released its callback without calling it"))
    }

    @Test(
        "a request that ends before its request closure has called back completes on the main queue by default",
        arguments: [false, true]
    )
    func mainQueue(isCancelled: Bool) async {
        let kept = Kept()
        let provider = Provider(requestClosure: { _, done in if isCancelled { kept.add(done) } })
        let isMain = Promise<Bool>()
        let token = provider.request(SomeTarget()) { _ in isMain.fulfill(isOnMainQueue) }
        if isCancelled { token.cancel() }
        #expect(await isMain.wait())
    }

    @Test("every callback of a request closure after the first one is ignored")
    func twice() async {
        let kept = Kept()
        let provider = Provider(
            requestClosure: { endpoint, done in
                kept.add(done)
                done(.failure(.requestMapping("first")))
                done(.failure(.requestMapping("second")))
            }
        )
        let results = Recorder<String>()
        provider.request(SomeTarget()) { result in
            if case .failure(.requestMapping(let text)) = result { results.add(text) }
        }
        #expect(results.values == ["first"])
        kept.done.withLock { $0 }.forEach { $0(.failure(.requestMapping("third"))) }
        #expect(results.values == ["first"])
    }
}
