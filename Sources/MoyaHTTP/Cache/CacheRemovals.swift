/// What was removed from a cache lately: a response to a request that was sent before is not stored afterwards.
///
/// Such a response shows a state that the application has changed, or the data of a user who has logged out.
final class CacheRemovals: Sendable {
    /// The number of removals until a moment.
    typealias Position = UInt64

    private struct State {
        var position: Position = 0
        /// The position of the last removal of a key.
        var keys: [CacheKey: Position] = [:]
        /// The position of the last removal that concerns all keys.
        var all: Position = 0
    }

    private let state = Locked(State())

    /// The maximum number of keys that are kept; where there are more, the removal of one counts as that of all.
    private static let maximumKeys = 1024

    /// The present position, for ``mayStore(_:since:)``.
    var position: Position { state.withLock { $0.position } }

    /// Notes that the entries for a key, or all with `nil`, are about to be removed.
    func note(_ key: CacheKey?) {
        state.withLock { state in
            state.position += 1
            if let key, state.keys[key] != nil || state.keys.count < Self.maximumKeys {
                state.keys[key] = state.position
            } else {
                state.all = state.position
                state.keys.removeAll()
            }
        }
    }

    /// Returns whether nothing was removed for a key since a position.
    func mayStore(_ key: CacheKey, since position: Position) -> Bool {
        state.withLock { max($0.all, $0.keys[key] ?? 0) <= position }
    }
}
