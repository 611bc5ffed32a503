import Foundation

/// A decoder for the content codings of a body that works piece by piece, within limits.
///
/// Push input, take pieces until there are none, and repeat; call ``finish()`` at the end.
package final class BodyDecoder {
    /// The decoders in the order in which the bytes pass through them.
    private let stages: [any ContentDecoder]
    /// A budget for each stage: a body that grows between two codings, and shrinks again, also costs time.
    private var budgets: [DecodingBudget]
    /// The input, if there are no codings.
    private var plain: Data?

    /// Creates a decoder; the codings are in the order in which they were applied.
    package init(_ codings: [ContentCoding], limits: ContentDecodingLimits) throws(ContentDecodingError) {
        var stages: [any ContentDecoder] = []
        for coding in codings.reversed() { stages.append(try coding.makeDecoder()) }
        self.stages = stages
        budgets = stages.map { _ in DecodingBudget(limits) }
    }

    /// Adds input.
    ///
    /// Take all pieces of the earlier input first; otherwise the input accumulates.
    package func push(_ input: Data) {
        if let first = stages.first {
            first.push(input)
        } else if !input.isEmpty {
            plain = (plain ?? Data()) + input
        }
    }

    /// Returns the next piece, not empty and at most 64 KiB; `nil` if more input is needed.
    ///
    /// A piece that exceeds a limit is not returned.
    package func next() throws(ContentDecodingError) -> Data? {
        guard let last = stages.indices.last else {
            defer { plain = nil }
            return plain
        }
        return try piece(of: last)
    }

    /// Marks the end of the input.
    ///
    /// Call it after ``next()`` has returned `nil`.
    ///
    /// - Throws: ``ContentDecodingError/truncated``, or an earlier error.
    package func finish() throws(ContentDecodingError) {
        for stage in stages { try stage.finish() }
    }

    private func piece(of index: Int) throws(ContentDecodingError) -> Data? {
        while true {
            if let piece = try stages[index].next(maximum: CodingBuffers.pieceSize) {
                // Counts consumed rather than received bytes; otherwise the result would depend on the size of
                // network reads.
                try budgets[index].spend(piece.count, encoded: stages[0].consumed)
                return piece
            }
            guard index > 0, let input = try piece(of: index - 1) else { return nil }
            stages[index].push(input)
        }
    }
}
