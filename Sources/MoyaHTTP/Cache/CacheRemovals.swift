/// Remembers recent removals, so that a response requested before a removal is not stored after it.
///
/// Such a response shows a state that the application has changed, or the data of a user who has logged out.
final class CacheRemovals: Sendable {
    /// The number of removals so far, which identifies a moment.
    typealias Position = UInt64

    private struct State {
        var position: Position = 0
        /// The position of the last removal of a key.
        var keys: [CacheKey: Position] = [:]
        /// The position of the last removal that concerns all keys.
        var all: Position = 0
    }

    private let state = Locked(State())

    /// The maximum number of remembered keys.
    ///
    /// Beyond it, the removal of one key counts as the removal of all.
    private static let maximumKeys = 1024

    /// The current position, for ``canStore(_:since:)``.
    var position: Position { state.withLock { $0.position } }

    /// Records that the entries of a key are about to be removed; `nil` stands for all keys.
    func recordRemoval(of key: CacheKey?) {
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

    /// Returns whether no entry of a key was removed after a position.
    func canStore(_ key: CacheKey, since position: Position) -> Bool {
        state.withLock { max($0.all, $0.keys[key] ?? 0) <= position }
    }
}
