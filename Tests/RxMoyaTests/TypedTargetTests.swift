#if RxSwift
import EntryPointCases
import Foundation
import Moya
import RxMoya
@preconcurrency import RxSwift
import TestSupport
import Testing

@Suite("A single emits the output of a typed target", .timeLimit(.minutes(5)))
struct TypedTargetTests {
    typealias Provider = MoyaProvider<EntryPointTarget>

    @Test(
        "a typed single sends no request before a subscription, each subscription sends one, and stubs complete immediately"
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
        let single = provider.rx.requestOutput(EntryPointTarget())
        #expect(asked.values.isEmpty)
        let texts = Recorder<String>()
        for _ in 1...3 { single.subscribe(onSuccess: { texts.add($0.message) }).dispose() }
        #expect(texts.values == ["sample", "sample", "sample"])
        #expect(asked.values.count == 3)
    }

    @Test("a typed target keeps its type with a provider of MultiTarget")
    func multiTarget() {
        let provider = MoyaProvider<MultiTarget>(stubClosure: MoyaProvider.immediatelyStub)
        let texts = Recorder<String>()
        provider.rx.requestOutput(EntryPointTarget()).subscribe(onSuccess: { texts.add($0.message) }).dispose()
        #expect(texts.values == ["sample"])
    }

    @Test("a typed single succeeds with one output or fails, and disposing of a subscription cancels the request")
    func oneOrOther() {
        let provider = ManualProvider()
        let texts = Recorder<String>()
        for _ in 1...2 {
            _ = provider.rx.requestOutput(EntryPointTarget()).subscribe(
                onSuccess: { texts.add($0.message) },
                onFailure: { texts.add("\(($0 as? MoyaError)?.response?.statusCode ?? 0)") }
            )
        }
        provider.requests.values[0].end(.success(.text(#"{"message":"a"}"#)))
        provider.requests.values[1].end(.success(.text("a", status: 201)))
        #expect(texts.values == ["a", "201"])
        let waiting = provider.rx.requestOutput(EntryPointTarget()).subscribe()
        let token = provider.requests.values[2].token
        #expect(!token.isCancelled)
        waiting.dispose()
        #expect(token.isCancelled)
    }
}
#endif
