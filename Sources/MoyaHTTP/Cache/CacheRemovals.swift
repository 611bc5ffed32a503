/// Remembers recent removals, so that a response requested before a removal is not stored after it.
///
/// Such a response shows a state that the application has changed, or the data of a user who has logged out.
final class CacheRemovals: Sendable {
    /// A moment, as the number of removals before it.
    typealias Moment = UInt64

    private struct State {
        var now: Moment = 0
        /// The moment after the last removal of each key.
        var lastByKey: [CacheKey: Moment] = [:]
        /// The moment after the last removal that concerns all keys.
        var lastOfAll: Moment = 0
    }

    private let state = Locked(State())

    /// The maximum number of remembered keys.
    ///
    /// Beyond it, the removal of one key counts as the removal of all.
    private static let maximumKeys = 1024

    /// The current moment.
    var now: Moment { state.withLock { $0.now } }

    /// Records that the entries of a key are about to be removed; `nil` stands for all keys.
    func recordRemoval(of key: CacheKey?) {
        state.withLock { state in
            state.now += 1
            if let key, state.lastByKey[key] != nil || state.lastByKey.count < Self.maximumKeys {
                state.lastByKey[key] = state.now
            } else {
                state.lastOfAll = state.now
                state.lastByKey.removeAll()
            }
        }
    }

    /// Returns whether the entries of a key were removed after a moment.
    func hasRemoved(_ key: CacheKey, since moment: Moment) -> Bool {
        state.withLock { max($0.lastOfAll, $0.lastByKey[key] ?? 0) > moment }
    }
}
