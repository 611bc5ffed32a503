/// Remembers recent removals, so that a response requested before a removal is not stored after it.
///
/// Such a response shows a state that the application has changed, or the data of a user who has logged out.
final class CacheRemovals: Sendable {
    /// A number of removals since the creation of the cache, which identifies a moment.
    typealias Count = UInt64

    private struct State {
        var count: Count = 0
        /// The count after the last removal of each key.
        var counts: [CacheKey: Count] = [:]
        /// The count after the last removal that concerns all keys.
        var countOfAll: Count = 0
    }

    private let state = Locked(State())

    /// The maximum number of remembered keys.
    ///
    /// Beyond it, the removal of one key counts as the removal of all.
    private static let maximumKeys = 1024

    /// The number of removals so far, for ``hasRemoved(_:since:)``.
    var count: Count { state.withLock { $0.count } }

    /// Records that the entries of a key are about to be removed; `nil` stands for all keys.
    func recordRemoval(of key: CacheKey?) {
        state.withLock { state in
            state.count += 1
            if let key, state.counts[key] != nil || state.counts.count < Self.maximumKeys {
                state.counts[key] = state.count
            } else {
                state.countOfAll = state.count
                state.counts.removeAll()
            }
        }
    }

    /// Returns whether the entries of a key were removed after a number of removals.
    func hasRemoved(_ key: CacheKey, since count: Count) -> Bool {
        state.withLock { max($0.countOfAll, $0.counts[key] ?? 0) > count }
    }
}
