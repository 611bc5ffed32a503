/// A generator that returns the same random numbers for the same seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator.
    public init(seed: UInt64) { state = seed }

    /// Creates a generator for one of many cases that share a seed.
    ///
    /// - Parameters:
    ///   - seed: The seed of all cases.
    ///   - stream: The kind of cases.
    ///   - number: The number of the case.
    public init(seed: UInt64, stream: UInt64 = 0, number: UInt64) {
        state = seed
        for part in [stream, number] { state = next() ^ part }
    }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
