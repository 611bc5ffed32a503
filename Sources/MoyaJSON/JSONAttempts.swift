#if !canImport(Darwin)
import MoyaLocks

/// The results of attempts to decode or encode values without Foundation, which decide about the next attempt for a type.
///
/// After a failed attempt Foundation does the work again. So after a failure the next values of the type are left to
/// Foundation immediately: 4 of them, then 16, then 64 after each further failure. A type that always fails costs
/// little more than with Foundation alone, and a type that failed because of a single text is soon attempted again.
///
/// Types share a fixed number of entries. If two types have the same entry, that costs time and changes no result.
package final class JSONAttempts: Sendable {
    /// The results of the attempts for a type.
    struct Entry: Equatable, Sendable {
        private static let mostFailures = 3

        private(set) var failures = 0
        /// The number of values that are left to Foundation before the next attempt.
        private(set) var waiting = 0

        /// Returns whether to attempt the next value.
        mutating func begin() -> Bool {
            guard waiting > 0 else { return true }
            waiting -= 1
            return false
        }

        /// Records the result of an attempt.
        mutating func end(isSuccess: Bool) {
            failures = isSuccess ? 0 : min(failures + 1, Self.mostFailures)
            waiting = isSuccess ? 0 : 1 << (2 * failures)
        }
    }

    static let decoding = JSONAttempts()
    static let encoding = JSONAttempts()

    private static let bitsOfIndex = 7

    private let entries = Locked(Array(repeating: Entry(), count: 1 << bitsOfIndex))

    package init() {}

    func begin(_ type: Any.Type) -> Bool { entries.withLock { $0[Self.index(of: type)].begin() } }

    package func end(_ type: Any.Type, isSuccess: Bool) {
        entries.withLock { $0[Self.index(of: type)].end(isSuccess: isSuccess) }
    }

    private static func index(of type: Any.Type) -> Int {
        // The addresses of types differ in their middle bits; the highest bits of the product depend on all of them.
        let product = UInt64(UInt(bitPattern: ObjectIdentifier(type))) &* 0x9E37_79B9_7F4A_7C15
        return Int(product >> (64 - UInt64(bitsOfIndex)))
    }
}
#endif
