import Foundation
import Testing

@testable import MoyaTesting

@Suite("The faults of an injector are chosen by their rates and a seed")
struct FaultPlanTests {
    private func plan(_ rates: [Double], seed: UInt64 = 42) -> FaultPlan {
        FaultPlan(faults: rates.map { .status(503, rate: $0) }, seed: seed)
    }

    private func indices(_ plan: FaultPlan, count: Int = 24) -> String {
        (0..<count).map { plan.choose(number: $0).map { "\($0.index)" } ?? "-" }.joined()
    }

    @Test(
        "the choice depends on the seed and the number only, and is the same on every machine",
        arguments: [
            (42, [0.5], "-0000-0-0-00---0000--0--"), (42, [0.25, 0.25], "-0110-0-1-01---0010--0--"),
            (42, [], "------------------------"), (42, [1], "000000000000000000000000"),
        ] as [(UInt64, [Double], String)]
    )
    func table(_ seed: UInt64, _ rates: [Double], _ expected: String) {
        #expect(indices(plan(rates, seed: seed)) == expected)
    }

    @Test("each fault has its rate, and the rest of the requests has none", arguments: [1, 2, 3] as [UInt64])
    func frequencies(_ seed: UInt64) {
        let (rates, count) = ([0.1, 0.02, 0.3], 100_000)
        let plan = plan(rates, seed: seed)
        var counts = [Int](repeating: 0, count: rates.count + 1)
        for number in 0..<count { counts[plan.choose(number: number)?.index ?? rates.count] += 1 }
        for (rate, found) in zip(rates + [0.58], counts) {
            // Six standard deviations.
            let tolerance = 6 * (rate * (1 - rate) * Double(count)).squareRoot()
            #expect(abs(Double(found) - rate * Double(count)) < tolerance, "\(rate): \(found)")
        }
    }

    @Test("the number for a choice within a fault is uniform, although the first one has chosen the fault")
    func randomWithinFault() {
        let plan = plan([0.01])
        let numbers = (0..<100_000).compactMap { plan.choose(number: $0)?.random }
        #expect(numbers.allSatisfy { (0..<1).contains($0) })
        let tenths = Dictionary(grouping: numbers) { Int($0 * 10) }.mapValues(\.count)
        #expect(tenths.count == 10)
        for (tenth, count) in tenths { #expect((50...160).contains(count), "\(tenth): \(count) of \(numbers.count)") }
    }

    @Test("rates are cut to the range from 0 to 1, and faults after a sum of 1 are never chosen")
    func limits() {
        let rates = [-1, .nan, 0.5, 2, .infinity].map { InjectedFault.error(.timedOut, rate: $0).rate }
        #expect(rates == [0, 0, 0.5, 1, 1])
        let chosen = indices(plan([0.5, 0.5, 1]), count: 1_000)
        #expect(Set(chosen) == ["0", "1"])
        #expect(Set(indices(plan([0, .nan]), count: 1_000)) == ["-"])
    }

    @Test("a choice has the values that reproduce it")
    func draw() throws {
        let choice = try #require(plan([0, 1], seed: 7).choose(number: 2))
        #expect(choice.draw == ScriptedDraw(probability: 1, seed: 7, number: 2, part: "a FaultInjector"))
    }
}
