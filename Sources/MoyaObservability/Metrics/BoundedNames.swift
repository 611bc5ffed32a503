#if Observability
/// The first different names up to a maximum number; further ones are replaced by `_OTHER`.
///
/// It bounds the number of series that a name from outside can create.
struct BoundedNames<Name: Hashable & Sendable>: Sendable {
    private let maximumCount: Int
    private var known: Set<Name> = []

    init(maximumCount: Int) { self.maximumCount = maximumCount }

    /// Returns whether a name keeps its own series, and remembers it if there is room.
    mutating func admit(_ name: Name) -> Bool {
        if known.contains(name) { return true }
        guard known.count < maximumCount else { return false }
        known.insert(name)
        return true
    }
}
#endif
