#if ReactiveSwift
import EntryPointCases
import Foundation
import Moya
import ReactiveMoya
@preconcurrency import ReactiveSwift
import TestSupport
import Testing

@Suite("A signal producer sends the output of a typed target", .timeLimit(.minutes(5)))
struct TypedTargetTests {
    typealias Provider = MoyaProvider<EntryPointTarget>

    @Test("a typed producer sends no request before a start, each start sends one, and stubs complete immediately")
    func cold() {
        let asked = Recorder<Void>()
        let provider = Provider(
            endpointClosure: { target in
                asked.add(())
                return Provider.defaultEndpointMapping(for: target)
            },
            stubClosure: Provider.immediatelyStub
        )
        let producer = provider.reactive.requestOutput(EntryPointTarget())
        #expect(asked.values.isEmpty)
        let texts = Recorder<String>()
        for _ in 1...3 { producer.startWithResult { texts.add((try? $0.get())?.message ?? "error") } }
        #expect(texts.values == ["sample", "sample", "sample"])
        #expect(asked.values.count == 3)
    }

    @Test("a typed target keeps its type with a provider of MultiTarget")
    func multiTarget() {
        let provider = MoyaProvider<MultiTarget>(stubClosure: MoyaProvider.immediatelyStub)
        let texts = Recorder<String>()
        provider.reactive.requestOutput(EntryPointTarget()).startWithResult {
            texts.add((try? $0.get())?.message ?? "error")
        }
        #expect(texts.values == ["sample"])
    }

    @Test("a typed producer sends one output or fails, and disposing of its start cancels the request")
    func oneOrOther() {
        let provider = ManualProvider()
        let texts = Recorder<String>()
        for _ in 1...2 {
            provider.reactive.requestOutput(EntryPointTarget()).startWithResult { result in
                switch result {
                case .success(let message): texts.add(message.message)
                case .failure(let error): texts.add("\(error.response?.statusCode ?? 0)")
                }
            }
        }
        provider.requests.values[0].end(.success(.text(#"{"message":"a"}"#)))
        provider.requests.values[1].end(.success(.text("a", status: 201)))
        #expect(texts.values == ["a", "201"])
        let waiting = provider.reactive.requestOutput(EntryPointTarget()).start()
        let token = provider.requests.values[2].token
        #expect(!token.isCancelled)
        waiting.dispose()
        #expect(token.isCancelled)
    }
}
#endif
