import Foundation

/// The requests that an interceptor has repeated and that have not ended.
///
/// The interceptor is not notified when a request is cancelled. Therefore the number of entries is limited, and the
/// oldest are removed.
struct RepeatedRequests: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        /// The number of times that the request was repeated because of authentication.
        var repeats = 0
        /// Whether the request has waited for a refresh.
        var hasWaited = false
        /// The generation of the credential with which the request was last repeated immediately; see
        /// ``RefreshState/generation``.
        var generation: Int?
    }

    private let capacity: Int
    private var recent: [UUID: Entry] = [:]
    private var older: [UUID: Entry] = [:]

    /// Creates a collection that keeps at least `capacity` and at most twice as many entries.
    init(capacity: Int = 8192) { self.capacity = capacity }

    var count: Int { recent.count + older.count }

    /// The entry of a request; setting `nil` removes it.
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

    mutating func removeAll() {
        recent = [:]
        older = [:]
    }
}
