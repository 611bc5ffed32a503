/// Random numbers that a seed determines (SplitMix64), so that a case can be made again.
package struct FuzzRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64, stream: UInt64 = 0, number: UInt64 = 0) {
        state = seed
        for part in [stream, number] {
            state = Self.mixed(state &+ 0x9E37_79B9_7F4A_7C15) ^ part
        }
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// A number below a limit; zero if that is not above zero.
    mutating func below(_ limit: Int) -> Int { limit > 0 ? Int(next() % UInt64(limit)) : 0 }

    /// True once in so many times.
    mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

    /// One of some values, of which there is at least one.
    mutating func one<Value>(of first: Value, _ others: Value...) -> Value {
        let index = below(others.count + 1)
        return index == 0 ? first : others[index - 1]
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
