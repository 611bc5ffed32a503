import Foundation

/// Undoes the content codings of a body, piece by piece, within limits.
///
/// Push what arrives, take pieces until there are none, and so on; call ``finish()`` at the end.
package final class BodyDecoder {
    /// In the order in which the bytes pass.
    private let stages: [Inflater]
    /// One for each stage: a body that grows between two codings, and shrinks again, costs time as well.
    private var budgets: [DecodingBudget]
    /// What was pushed, where there is nothing to undo.
    private var plain: Data?

    /// - Parameter codings: In the order in which they were applied.
    package init(_ codings: [ContentCoding], limits: ContentDecodingLimits) throws(ContentDecodingError) {
        var stages: [Inflater] = []
        for coding in codings.reversed() { stages.append(try Inflater(coding)) }
        self.stages = stages
        budgets = stages.map { _ in DecodingBudget(limits) }
    }

    /// Takes what arrived. Have the pieces of what came before out first, or it piles up here.
    package func push(_ input: Data) {
        if let first = stages.first {
            first.push(input)
        } else if !input.isEmpty {
            plain = (plain ?? Data()) + input
        }
    }

    /// Gives the next piece, at most 64 KiB and never empty; `nil` if it takes more input.
    ///
    /// What goes over a limit is not given.
    package func next() throws(ContentDecodingError) -> Data? {
        guard let last = stages.indices.last else {
            defer { plain = nil }
            return plain
        }
        return try piece(of: last)
    }

    /// Says that there is no more input; call it once ``next()`` has given `nil`.
    ///
    /// - Throws: ``ContentDecodingError/truncated``, or what went wrong before.
    package func finish() throws(ContentDecodingError) {
        for stage in stages { try stage.finish() }
    }

    private func piece(of index: Int) throws(ContentDecodingError) -> Data? {
        while true {
            if let piece = try stages[index].next() {
                // What has been used, not what has arrived: else the verdict would hang on how the network cuts it up.
                try budgets[index].spend(piece.count, encoded: stages[0].consumed)
                return piece
            }
            guard index > 0, let input = try piece(of: index - 1) else { return nil }
            stages[index].push(input)
        }
    }
}
