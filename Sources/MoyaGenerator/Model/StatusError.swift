/// The type of the body of responses with some statuses.
package struct StatusError: Sendable, Hashable {
    /// The statuses; `nil` for all others.
    package var statuses: ClosedRange<Int>?
    package var type: TypeReference

    /// Returns the errors in an order in which the first one for a status is the document's: single statuses, ranges, all others.
    ///
    /// A status whose type is also that of its range, or of all others, is left out.
    static func sorted(_ errors: [StatusError]) -> [StatusError] {
        let needed = errors.filter { error in
            guard let statuses = error.statuses else { return true }
            let wider = errors.filter { $0.statuses?.isWider(than: statuses) ?? true }
            let next = wider.first { $0.statuses != nil } ?? wider.first
            return next?.type != error.type
        }
        return [0, 1, 2].flatMap { rank in needed.filter { $0.rank == rank } }
    }

    /// Returns the errors that all methods of a service document, if most of them have the same type.
    ///
    /// A method decodes the errors of its service, too. An error that only some methods document is not one of the service's, so that
    /// no method decodes a body that its documentation does not have.
    static func common(to methods: [[StatusError]]) -> [StatusError] {
        guard let first = methods.first else { return [] }
        return sorted(
            first.compactMap { error in
                let types = methods.compactMap { errors in errors.first { $0.statuses == error.statuses }?.type }
                guard types.count == methods.count, let type = types.mostFrequent else { return nil }
                guard types.count(where: { $0 == type }) * 2 > types.count else { return nil }
                return StatusError(statuses: error.statuses, type: type)
            }
        )
    }

    /// Returns the errors that a method adds to those of its service, which are read after them.
    static func additional(_ errors: [StatusError], to common: [StatusError]) -> [StatusError] {
        let added = errors.filter { !common.contains($0) }
        let hidesCommon = added.contains { error in
            common.contains { other in
                guard let statuses = error.statuses, let others = other.statuses else { return false }
                return statuses.isWider(than: others)
            }
        }
        return hidesCommon ? errors : added
    }

    /// The place in the order: a single status, a range, or all others.
    private var rank: Int { statuses.map { $0.count == 1 ? 0 : 1 } ?? 2 }
}

extension ClosedRange<Int> {
    fileprivate func isWider(than other: ClosedRange<Int>) -> Bool { self != other && contains(other) }
}
