import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("Independent calls run at the same time, within a limit")
struct ConcurrentMapTests {
    private struct Failure: Error, Equatable { var number: Int }

    /// Counts calls that run at the same time.
    private final class Gauge: Sendable {
        private let state = Locked((running: 0, maximum: 0))
        var maximum: Int { state.withLock { $0.maximum } }
        func begin() {
            state.withLock { state in
                state.running += 1
                state.maximum = max(state.maximum, state.running)
            }
        }
        func end() { state.withLock { $0.running -= 1 } }
    }

    @Test("the results have the order of the elements, and the limit holds", arguments: [1, 2, 7, 100])
    func order(limit: Int) async {
        let gauge = Gauge()
        let results = await (0..<50).mapConcurrently(limit: limit) { number in
            gauge.begin()
            for _ in 0..<(number * 7 % 5) { await Task.yield() }
            gauge.end()
            return number * 2
        }
        #expect(results == (0..<50).map { $0 * 2 })
        #expect(gauge.maximum <= limit)
    }

    @Test("a limit below 1 is 1, and an empty sequence has no results")
    func edges() async {
        #expect(await [1, 2].mapConcurrently(limit: 0) { $0 } == [1, 2])
        #expect(await [Int]().mapConcurrently(limit: 3) { $0 }.isEmpty)
    }

    @Test("the calls that the limit allows run at the same time")
    func parallel() async {
        let (first, second) = (Promise<Void>(), Promise<Void>())
        // Each call waits for the other one.
        let results = await [0, 1].mapConcurrently(limit: 2) { number in
            (number == 0 ? first : second).fulfill(())
            await (number == 0 ? second : first).wait()
            return number
        }
        #expect(results == [0, 1])
    }

    @Test("the first error cancels the running calls, starts no others, and is thrown with its type")
    func failure() async {
        let started = Recorder<Int>()
        let cancelled = Recorder<Int>()
        let isRunning = Promise<Void>()
        let error = await #expect(throws: Failure.self) {
            try await (0..<100).mapConcurrently(limit: 2) { number async throws(Failure) in
                started.add(number)
                if number == 1 {
                    await isRunning.wait()
                    throw Failure(number: 1)
                }
                let ended = Promise<Void>()
                await withTaskCancellationHandler {
                    isRunning.fulfill(())
                    await ended.wait()
                } onCancel: {
                    cancelled.add(number)
                    ended.fulfill(())
                }
            }
        }
        #expect(error == Failure(number: 1))
        #expect(Set(started.values) == [0, 1])
        #expect(cancelled.values == [0])
    }

    @Test("cancelling the task cancels the calls")
    func cancellation() async {
        let started = Promise<Void>()
        let task = Task {
            await [1].mapConcurrently(limit: 1) { _ in
                let ended = Promise<Void>()
                await withTaskCancellationHandler {
                    started.fulfill(())
                    await ended.wait()
                } onCancel: {
                    ended.fulfill(())
                }
                return Task.isCancelled
            }
        }
        await started.wait()
        task.cancel()
        #expect(await task.value == [true])
    }

    @Test("the items of a list in pages are elements, and its error is thrown")
    func pages() async throws {
        let network = PagedNetwork([
            "/list": PagedNetwork.Answer(headers: ["Link": "<?p=2>; rel=next"], body: "[1,2]"),
            "/list?p=2": PagedNetwork.Answer(body: "[3]"),
            "/broken": PagedNetwork.Answer(headers: ["Link": "<?p=2>; rel=next"], body: "[1]"),
        ])
        let list = network.provider().pages(.list(), of: Int.self, by: .link)
        #expect(try await list.mapConcurrently(limit: 2) { $0 * 10 } == [10, 20, 30])
        var broken = TaskTarget.list()
        broken.path = "/broken"
        let failing = network.provider().pages(broken, of: Int.self, by: .link)
        let error = await #expect(throws: MoyaError.self) { try await failing.mapConcurrently(limit: 2) { $0 } }
        #expect(error?.statusCode == 404)
    }
}
