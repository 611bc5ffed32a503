import Testing

@testable import MoyaHTTP

@Suite("A one-shot is given once and awaited")
struct OneShotTests {
    @Test("the first value wins, and later ones are told that they came too late")
    func firstWins() async {
        let shot = OneShot<Int>()
        #expect(shot.value == nil)
        #expect(shot.fulfil(1))
        #expect(!shot.fulfil(2))
        #expect(!shot.fulfil(1))
        #expect(shot.value == 1)
        #expect(await shot.wait() == 1)
        #expect(await shot.wait() == 1)
    }

    @Test("whoever waits gets the value, whether it is given before, after or meanwhile")
    func waiting() async {
        for round in 0..<1_000 {
            let shot = OneShot<Int>()
            async let value = shot.wait()
            // No yield, one, two …: the giver meets the waiter at every stage.
            for _ in 0..<(round % 8) { await Task.yield() }
            #expect(shot.fulfil(round))
            #expect(await value == round)
        }
    }

    @Test("a cancelled task waits on: what it gets is for a cancellation handler to say")
    func cancelled() async {
        let shot = OneShot<Int>()
        let task = Task {
            await withTaskCancellationHandler {
                await shot.wait()
            } onCancel: {
                shot.fulfil(-1)
            }
        }
        task.cancel()
        #expect(await task.value == -1)
        #expect(!shot.fulfil(1))

        let plain = OneShot<Int>()
        let waiter = Task { await plain.wait() }
        waiter.cancel()
        #expect(plain.fulfil(7))
        #expect(await waiter.value == 7)
    }

    @Test("of 1,000 that give at once exactly one is first, and its value is the one")
    func concurrent() async {
        let shot = OneShot<Int>()
        async let awaited = shot.wait()
        let firsts = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<1_000 {
                group.addTask { shot.fulfil(number) ? number : nil }
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
