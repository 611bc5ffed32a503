/// Remembers recent removals, so that a response requested before a removal is not stored after it.
///
/// Such a response shows a state that the application has changed, or the data of a user who has logged out.
final class CacheRemovals: Sendable {
    private struct State {
        var count: UInt64 = 0
        /// The number of the last removal of each key.
        var lastByKey: [CacheKey: UInt64] = [:]
        /// The number of the last removal that concerns all keys.
        var lastOfAll: UInt64 = 0
    }

    private let state = Locked(State())

    /// The maximum number of remembered keys.
    ///
    /// Beyond it, the removal of one key counts as the removal of all.
    private static let maximumKeys = 1024

    /// A moment in the history of removals.
    struct Moment: Sendable {
        fileprivate let removals: CacheRemovals
        fileprivate let count: UInt64

        /// Returns whether the entries of a key were removed after this moment.
        func hasRemoved(_ key: CacheKey) -> Bool {
            removals.state.withLock { max($0.lastOfAll, $0.lastByKey[key] ?? 0) > count }
        }
    }

    /// The present moment in the history.
    var currentMoment: Moment { Moment(removals: self, count: state.withLock { $0.count }) }

    /// Records that the entries of a key are about to be removed; `nil` stands for all keys.
    func recordRemoval(of key: CacheKey?) {
        state.withLock { state in
            state.count += 1
            if let key, state.lastByKey[key] != nil || state.lastByKey.count < Self.maximumKeys {
                state.lastByKey[key] = state.count
            } else {
                state.lastOfAll = state.count
                state.lastByKey.removeAll()
            }
        }
    }
}
