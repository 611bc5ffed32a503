import Testing

@testable import MoyaHTTP

@Suite("A promise keeps its first value, and each waiting task gets the value")
struct PromiseTests {
    @Test("a promise keeps the first value, and refuses later values")
    func firstWins() async {
        let shot = Promise<Int>()
        #expect(shot.value == nil)
        #expect(shot.fulfill(1))
        #expect(!shot.fulfill(2))
        #expect(!shot.fulfill(1))
        #expect(shot.value == 1)
        #expect(await shot.wait() == 1)
        #expect(await shot.wait() == 1)
    }

    @Test("a waiting task gets the value of a promise whether it is set before, after or during the wait")
    func waiting() async {
        for round in 0..<1_000 {
            let shot = Promise<Int>()
            async let value = shot.wait()
            // With zero to seven yields, the value arrives at each stage of the wait.
            for _ in 0..<(round % 8) { await Task.yield() }
            #expect(shot.fulfill(round))
            #expect(await value == round)
        }
    }

    @Test("all tasks that wait for a promise get the value", arguments: [2, 3, 100])
    func severalWaiters(count: Int) async {
        let shot = Promise<Int>()
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { await shot.wait() } }
            // Some tasks wait already, and others do not.
            for _ in 0..<count { await Task.yield() }
            shot.fulfill(7)
            for await value in group { #expect(value == 7) }
        }
    }

    @Test("a cancelled task continues to wait for a promise, unless its cancellation sets a value")
    func cancelled() async {
        let shot = Promise<Int>()
        let task = Task { await shot.wait(onCancel: -1) }
        task.cancel()
        #expect(await task.value == -1)
        #expect(!shot.fulfill(1))

        let plain = Promise<Int>()
        let waiter = Task { await plain.wait() }
        waiter.cancel()
        #expect(plain.fulfill(7))
        #expect(await waiter.value == 7)
    }

    @Test("a promise keeps exactly one of 1,000 concurrently set values")
    func concurrent() async {
        let shot = Promise<Int>()
        async let awaited = shot.wait()
        let firsts = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<1_000 {
                group.addTask { shot.fulfill(number) ? number : nil }
            }
            return await group.reduce(into: [Int]()) { firsts, number in
                if let number { firsts.append(number) }
            }
        }
        #expect(firsts.count == 1)
        #expect(shot.value == firsts.first)
        #expect(await awaited == firsts.first)
    }
}
