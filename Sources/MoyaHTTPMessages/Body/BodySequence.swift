import Foundation

/// A type-erased async sequence that supplies a body.
package final class BodySequence: Sendable {
    package let length: Int64?
    let isRepeatable: Bool
    private let start: @Sendable () -> Iteration
    private let isClaimed = InlineLocked(false)

    init<S: AsyncSequence & Sendable>(_ sequence: S, length: Int64?, isRepeatable: Bool)
    where S.Element: Collection & Sendable, S.Element.Element == UInt8 {
        self.length = length.flatMap { $0 < 0 ? nil : $0 }
        self.isRepeatable = isRepeatable
        start = { Iteration(sequence) }
    }

    /// Claims the right to iterate the sequence; returns whether it was available.
    func claim() -> Bool {
        isClaimed.withLock { isClaimed in
            defer { isClaimed = true }
            return isRepeatable || !isClaimed
        }
    }

    /// Releases the claim of a sequence that has not been iterated.
    func unclaim() { isClaimed.withLock { $0 = false } }

    func makeIteration() -> Iteration { start() }

    // Unchecked because iterators are not Sendable. A reader reads from one task or thread at a time.
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

        /// Returns the next element that is not empty.
        func next() async throws -> Data? { try await advance() }
    }
}

extension BodySequence: Hashable {
    package static func == (lhs: BodySequence, rhs: BodySequence) -> Bool { lhs === rhs }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
