import Foundation

/// An async sequence that supplies a body, with its type erased.
package final class BodySequence: Sendable {
    let length: Int64?
    let isRepeatable: Bool
    private let start: @Sendable () -> Iteration
    private let isClaimed = Locked(false)

    init<S: AsyncSequence & Sendable>(_ sequence: S, length: Int64?, isRepeatable: Bool)
    where S.Element: Collection & Sendable, S.Element.Element == UInt8 {
        self.length = length.flatMap { $0 < 0 ? nil : $0 }
        self.isRepeatable = isRepeatable
        start = { Iteration(sequence) }
    }

    /// Takes the right to iterate it. Returns whether it was still to be had.
    func claim() -> Bool {
        isClaimed.withLock { isClaimed in
            defer { isClaimed = true }
            return isRepeatable || !isClaimed
        }
    }

    /// Gives the right to iterate it back, unused.
    func unclaim() { isClaimed.withLock { $0 = false } }

    func makeIteration() -> Iteration { start() }

    // Unchecked because iterators are not Sendable. A reader reads from one place at a time.
    final class Iteration: @unchecked Sendable {
        private let advance: () async throws -> Data?

        fileprivate init<S: AsyncSequence & Sendable>(_ sequence: S)
        where S.Element: Collection & Sendable, S.Element.Element == UInt8 {
            var iterator = sequence.makeAsyncIterator()
            advance = {
                while let element = try await iterator.next() {
                    if !element.isEmpty { return element as? Data ?? Data(element) }
                }
                return nil
            }
        }

        /// The next element that is not empty.
        func next() async throws -> Data? { try await advance() }
    }
}

extension BodySequence: Hashable {
    package static func == (lhs: BodySequence, rhs: BodySequence) -> Bool { lhs === rhs }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
