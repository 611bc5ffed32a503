import Foundation

/// One of two answers, by chance.
struct ScriptedChance: Sendable {
    let probability: Double
    let seed: UInt64
    /// What there is with this probability.
    var lucky: ScriptedAnswer
    var otherwise: ScriptedAnswer

    /// Which of the two a request gets.
    ///
    /// - Parameters:
    ///   - number: How many requests the same part of the script has had before.
    ///   - part: What part that is.
    func choose(number: Int, part: String) -> (answer: ScriptedAnswer, draw: ScriptedDraw) {
        // 53 bits are what a Double has.
        let random = Double(Self.random(seed: seed, number: number) >> 11) / Double(1 << 53)
        let draw = ScriptedDraw(probability: probability, seed: seed, number: number, part: part)
        return (random < probability ? lucky : otherwise, draw)
    }

    /// The number at a place in the series that a seed begins: SplitMix64 (Steele, Lea and Flood, 2014).
    static func random(seed: UInt64, number: Int) -> UInt64 {
        var mixed = seed &+ 0x9E37_79B9_7F4A_7C15 &* (UInt64(truncatingIfNeeded: number) &+ 1)
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A chance that was drawn: what it takes to see it again.
public struct ScriptedDraw: Hashable, Sendable, CustomStringConvertible {
    /// How probable the answer was.
    public let probability: Double
    /// Where the series of chances began.
    public let seed: UInt64
    /// How many requests the same part of the script had had before.
    public let number: Int
    /// The part of the script.
    public let part: String

    /// The seed, and what to do with it.
    public var description: String {
        "(By chance: \(probability), seed \(seed), request \(number + 1) of \(part). The same seed repeats it.)"
    }
}
