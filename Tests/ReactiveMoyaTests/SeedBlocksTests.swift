#if ReactiveSwift
import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import ReactiveMoya
@preconcurrency import ReactiveSwift
import Testing

/// The code for ReactiveSwift from the documents that define the project, in which comments replace statements.
@Suite("The blocks of the seeds for ReactiveSwift run", .timeLimit(.minutes(5)))
struct SeedBlocksTests {
    @Test("seed 000, block 43: a response is received on another thread")
    func threads() async {
        let provider: MoyaProvider<EntryPointTarget>
        provider = MoyaProvider<EntryPointTarget>(stubClosure: MoyaProvider.immediatelyStub)
        let first = Locked(false)
        let second = Promise<Bool>()
        let here = thread()
        let disposable = provider.reactive.request(EntryPointTarget())
            .map { response in
                first.withLock { $0 = thread() == here }
                return response
            }
            .observe(on: QueueScheduler(qos: .utility))
            .map { _ in second.fulfill(thread() == here) }
            .start()
        #expect(first.withLock { $0 })
        #expect(await second.wait() == false)
        disposable.dispose()
    }

    /// Returns the identity of the current thread.
    private func thread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }
}
#endif
