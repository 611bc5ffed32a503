/// The random choice of the faults of a ``FaultInjector``.
struct FaultPlan: Sendable {
    /// The fault of a request, and the values that reproduce the choice.
    struct Choice: Sendable {
        /// The index of the fault in the plan.
        let index: Int
        /// A number from 0 to 1, for a choice within the fault.
        let random: Double
        let draw: ScriptedDraw
    }

    /// The name of the requests in the texts of errors.
    static let part = "a FaultInjector"

    let faults: [InjectedFault]
    let seed: UInt64

    /// Chooses the fault of a request; `nil` for none.
    ///
    /// A request gets one fault at most. The choice depends on the seed and the number only.
    ///
    /// - Parameter number: The number of previous requests.
    /// - Returns: The choice.
    func choose(number: Int) -> Choice? {
        let random = ScriptedChance.random(seed: seed, number: number)
        var rest = ScriptedChance.fraction(of: random)
        for (index, fault) in faults.enumerated() {
            guard rest >= fault.rate else {
                return Choice(
                    index: index,
                    // The first number is not independent of the fault that it has chosen.
                    random: ScriptedChance.fraction(of: ScriptedChance.random(seed: random, number: 0)),
                    draw: ScriptedDraw(probability: fault.rate, seed: seed, number: number, part: Self.part)
                )
            }
            rest -= fault.rate
        }
        return nil
    }
}
