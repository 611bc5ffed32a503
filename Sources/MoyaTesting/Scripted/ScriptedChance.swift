import Foundation

/// A random choice between two responses.
struct ScriptedChance: Sendable {
    let probability: Double
    let seed: UInt64
    /// The response with the given probability.
    var chosen: ScriptedResponse
    var otherwise: ScriptedResponse

    /// Chooses the response to a request.
    ///
    /// - Parameters:
    ///   - number: The number of previous requests of the same part of the script.
    ///   - part: The name of the part.
    /// - Returns: The response, and the values that reproduce the choice.
    func choose(number: Int, part: String) -> (response: ScriptedResponse, draw: ScriptedDraw) {
        let random = Self.fraction(of: Self.random(seed: seed, number: number))
        let draw = ScriptedDraw(probability: probability, seed: seed, number: number, part: part)
        return (random < probability ? chosen : otherwise, draw)
    }

    /// Returns a random number as a fraction from 0 to 1, without 1.
    static func fraction(of random: UInt64) -> Double {
        // A Double has 53 significant bits.
        Double(random >> 11) / 0x1p53
    }

    /// Returns the number at an index of a seed's sequence: SplitMix64 (Steele, Lea and Flood, 2014).
    static func random(seed: UInt64, number: Int) -> UInt64 {
        var mixed = seed &+ 0x9E37_79B9_7F4A_7C15 &* (UInt64(truncatingIfNeeded: number) &+ 1)
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension ScriptedResponse {
    /// Returns the response to a request after all random choices, and the values that reproduce the last one.
    func resolved(number: Int, part: String) -> (response: ScriptedResponse, draw: ScriptedDraw?) {
        var (response, draw) = (self, nil as ScriptedDraw?)
        while case .chance(let chance) = response.content {
            let delay = response.delay
            let choice = chance.choose(number: number, part: part)
            (response, draw) = (choice.response.after(delay), choice.draw)
        }
        return (response, draw)
    }
}

/// The values that reproduce a random choice.
public struct ScriptedDraw: Hashable, Sendable, CustomStringConvertible {
    /// The probability of the chosen response.
    public let probability: Double
    /// The seed of the sequence.
    public let seed: UInt64
    /// The number of previous requests of the same part of the script.
    public let number: Int
    /// The part of the script.
    public let part: String

    /// The values, and how to reproduce the choice.
    public var description: String {
        "(By chance: \(probability), seed \(seed), request \(number + 1) of \(part). The same seed repeats it.)"
    }
}
