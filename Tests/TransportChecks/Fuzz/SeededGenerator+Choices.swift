import TestSupport

extension SeededGenerator {
    /// Returns a number below a limit; zero if the limit is not positive.
    mutating func below(_ limit: Int) -> Int { limit > 0 ? Int(next() % UInt64(limit)) : 0 }

    /// Returns true once in this many calls on average.
    mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

    /// Returns one of the values.
    mutating func one<Value>(of first: Value, _ others: Value...) -> Value {
        let index = below(others.count + 1)
        return index == 0 ? first : others[index - 1]
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
