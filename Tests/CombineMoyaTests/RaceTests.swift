#if canImport(Combine) || OpenCombine
import CombineMoya
import EntryPointCases
import Foundation
import Moya
import MoyaHTTP
import TestServers
import Testing

@Suite("Publishers can be used by concurrent threads", .timeLimit(.minutes(5)))
struct RaceTests {
    @Test("cancelling a subscription during its completion leads to at most one completion, and no value follows")
    func cancelAndComplete() async {
        for round in 0..<500 {
            let provider = ManualProvider()
            let probe = TestSubscriber<ProgressResponse>(first: .unlimited)
            provider.requestWithProgressPublisher(EntryPointTarget()).subscribe(probe)
            let request = provider.requests.values[0]
            let isCancelled = !round.isMultiple(of: 5)
            await withTaskGroup { group in
                if isCancelled {
                    group.addTask {
                        for _ in 0..<(round % 7) { await Task.yield() }
                        probe.cancel()
                    }
                }
                group.addTask {
                    request.advance(to: 1)
                    request.advance(to: 2)
                    request.end(round.isMultiple(of: 2) ? .success(.text("")) : .failure(.requestMapping("")))
                }
            }
            #expect(probe.completions.count <= 1)
            #expect(isCancelled || probe.completions.count == 1)
            let count = probe.values.count
            request.advance(to: 3)
            request.end(.success(.text("")))
            #expect(probe.values.count == count)
        }
    }

    @Test(
        "demand from many threads sends one request, and all calls of the subscriber are serial and ordered"
    )
    func manyAsk() async {
        for _ in 0..<50 {
            let provider = ManualProvider(callbackQueue: .global())
            // The subscriber is slow, so that other threads act meanwhile.
            let probe = TestSubscriber<ProgressResponse>(first: .none) { _, _ in
                for _ in 0..<50 { sched_yield() }
                return .none
            }
            provider.requestWithProgressPublisher(EntryPointTarget()).subscribe(probe)
            await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<25 {
                            probe.request(.max(1))
                            await Task.yield()
                        }
                    }
                }
                group.addTask {
                    while provider.requests.values.isEmpty { await Task.yield() }
                    let request = provider.requests.values[0]
                    for count in 1...99 {
                        request.advance(to: Int64(count))
                        await Task.yield()
                    }
                    request.end(.success(.text("a")))
                }
            }
            await probe.wait()
            let fractions = probe.values.map(\.progress)
            #expect(fractions == fractions.sorted())
            #expect(probe.values.last?.response == .text("a"))
            #expect(probe.values.filter(\.completed).count == 1)
            #expect(probe.completions.count == 1)
            #expect(provider.requests.values.count == 1)
        }
    }

    @Test("subscriptions to a live server that are cancelled at any moment complete at most once")
    func live() async throws {
        try await PlainServer.run { server in
            let provider = MoyaProvider<EntryPointTarget>()
            let target = EntryPointTarget(server.url("/json"))
            let probes = await withTaskGroup(of: TestSubscriber<Response>.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        let probe = TestSubscriber<Response>(first: .unlimited)
                        provider.requestPublisher(target, callbackQueue: .global()).subscribe(probe)
                        for _ in 0..<(index % 40) { await Task.yield() }
                        if index.isMultiple(of: 4) { await probe.wait() } else { probe.cancel() }
                        return probe
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(probes.count == 200)
            #expect(probes.allSatisfy { $0.completions.count <= 1 && $0.values.count <= 1 })
            #expect(probes.count { $0.values.count == 1 && $0.completions.count == 1 } >= 50)
        }
    }
}
#endif
