import Foundation

/// What an interceptor remembers of the requests that it has had repeated, until they end.
///
/// The end of a request that is cancelled is not told to it. So only so many are remembered, and the oldest are
/// forgotten.
struct RepeatedRequests: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        /// How often the request was repeated because of authentication.
        var repeats = 0
        /// Whether it has waited for a refresh.
        var hasWaited = false
        /// With which credential it was last repeated at once; see ``RefreshState/generation``.
        var generation: Int?
    }

    private let capacity: Int
    private var recent: [UUID: Entry] = [:]
    private var older: [UUID: Entry] = [:]

    /// - Parameter capacity: So many at least are remembered, and twice as many at most.
    init(capacity: Int = 8192) { self.capacity = capacity }

    var count: Int { recent.count + older.count }

    /// What is known of a request; setting `nil` forgets it.
    subscript(id: UUID) -> Entry? {
        get { recent[id] ?? older[id] }
        set {
            if !older.isEmpty { older[id] = nil }
            if let newValue {
                recent[id] = newValue
            } else if !recent.isEmpty {
                recent[id] = nil
            }
            guard recent.count >= capacity else { return }
            older = recent
            recent = [:]
        }
    }

    /// Forgets them all.
    mutating func removeAll() {
        recent = [:]
        older = [:]
    }
}
