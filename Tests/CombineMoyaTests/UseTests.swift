#if canImport(Combine) || OpenCombine
import CombineMoya
import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("Applications can use publishers of requests", .timeLimit(.minutes(5)))
struct UseTests {
    /// A model of an application.
    @MainActor
    final class Model {
        private(set) var wisdom = ""
        let done = Promise<Void>()
        private var subscriptions = Set<AnyCancellable>()
        /// The type is Moya's Cancellable, although Combine has a protocol with that name.
        private var token: Cancellable?

        func load(from provider: MoyaProvider<EntryPointTarget>) {
            provider.requestPublisher(EntryPointTarget())
                .mapString()
                .sink { [done] _ in
                    done.fulfill(())
                } receiveValue: { [weak self] wisdom in
                    self?.wisdom = wisdom
                }
                .store(in: &subscriptions)
            token = provider.request(EntryPointTarget()) { _ in }
        }
    }

    @Test("a publisher works on the main actor without a queue")
    func mainActor() async {
        let network = FakeTransport { _ in TransportResponse(status: 200, body: .complete(Data("wise".utf8))) }
        let provider = MoyaProvider<EntryPointTarget>(session: Session(transport: network))
        let model = await Model()
        await model.load(from: provider)
        await model.done.wait()
        #expect(await model.wisdom == "wise")
    }

    @Test("a publisher can be read as an asynchronous sequence, which demands one value at a time")
    func values() async throws {
        let network = FakeTransport.chunks((0..<50).map { _ in "0123456789" })
        let provider = MoyaProvider<EntryPointTarget>(session: Session(transport: network))
        var fractions: [Double] = []
        var status: Int?
        let publisher = provider.requestWithProgressPublisher(EntryPointTarget(), callbackQueue: .global())
        for try await progress in publisher.values {
            fractions.append(progress.progress)
            status = progress.response?.statusCode
        }
        #expect(fractions == fractions.sorted())
        #expect(fractions.last == 1)
        #expect(status == 200)
    }

    @Test("`share` sends one request for many subscribers")
    func share() async {
        let sent = Recorder<Void>()
        let gate = Promise<Void>()
        let network = FakeTransport { _ in
            sent.add(())
            await gate.wait()
            return TransportResponse(status: 200, body: .complete(Data("shared".utf8)))
        }
        let provider = MoyaProvider<EntryPointTarget>(session: Session(transport: network))
        let shared = provider.requestPublisher(EntryPointTarget(), callbackQueue: .global()).share()
        let probes = (0..<3).map { _ in TestSubscriber<Response>(first: .unlimited) }
        for probe in probes { shared.subscribe(probe) }
        gate.fulfill(())
        for probe in probes { await probe.wait() }
        #expect(probes.allSatisfy { $0.values.count == 1 && $0.hasFinished })
        #expect(sent.values.count == 1)
    }
}
#endif
