#if canImport(Combine) || OpenCombine
import CombineMoya
import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A publisher publishes the output of a typed target", .timeLimit(.minutes(5)))
struct TypedTargetTests {
    typealias Provider = MoyaProvider<EntryPointTarget>

    @Test(
        "a typed publisher sends no request before a subscription, each subscription sends one, and stubs complete immediately"
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
        let publisher = provider.requestOutputPublisher(EntryPointTarget())
        #expect(asked.values.isEmpty)
        for count in 1...3 {
            let texts = Recorder<String>()
            let subscription = publisher.sink { _ in
                texts.add("end")
            } receiveValue: {
                texts.add($0.message)
            }
            #expect(texts.values == ["sample", "end"])
            #expect(asked.values.count == count)
            subscription.cancel()
        }
    }

    @Test("a typed target keeps its type with a provider of MultiTarget")
    func multiTarget() {
        let provider = MoyaProvider<MultiTarget>(stubClosure: MoyaProvider.immediatelyStub)
        let probe = TestSubscriber<Message>(first: .unlimited)
        provider.requestOutputPublisher(EntryPointTarget()).subscribe(probe)
        #expect(probe.values.map(\.message) == ["sample"])
        #expect(probe.hasFinished)
    }

    @Test("a typed publisher publishes one output or fails, and cancelling its subscription cancels the request")
    func oneOrOther() {
        let provider = ManualProvider()
        let (answered, failed) = (
            TestSubscriber<Message>(first: .unlimited), TestSubscriber<Message>(first: .unlimited)
        )
        provider.requestOutputPublisher(EntryPointTarget()).subscribe(answered)
        provider.requestOutputPublisher(EntryPointTarget()).subscribe(failed)
        provider.requests.values[0].end(.success(.text(#"{"message":"a"}"#)))
        provider.requests.values[1].end(.success(.text("a")))
        #expect(answered.values.map(\.message) == ["a"])
        #expect(answered.hasFinished)
        #expect(failed.values.isEmpty)
        #expect(failed.completions.count == 1)
        #expect(failed.completions.first??.response == .text("a"))
        let subscription = provider.requestOutputPublisher(EntryPointTarget()).sink { _ in
        } receiveValue: { _ in
        }
        subscription.cancel()
        #expect(provider.cancellations.values.count == 1)
    }

    @Test("a response can also be requested for a typed target")
    func responses() {
        let provider = Provider(stubClosure: Provider.immediatelyStub)
        let texts = Recorder<String>()
        let subscription = provider.requestPublisher(EntryPointTarget()).map(Message.self).sink { _ in
        } receiveValue: {
            texts.add($0.message)
        }
        #expect(texts.values == ["sample"])
        subscription.cancel()
    }
}
#endif
