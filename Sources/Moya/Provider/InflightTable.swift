import Foundation

/// The table of shared requests, with the callers that wait for each.
///
/// An entry lives from its first caller to the return of the last completion. A request that is made while an entry's
/// completions are being called, or after all callers have left, starts another shared request. Downloads are never
/// shared.
final class InflightTable<Target: TargetType>: Sendable {
    typealias Caller = ProviderRequest<Target>
    typealias Key = SharedRequest.Key

    /// A shared request and the callers that wait for it.
    struct Entry: Sendable {
        let shared: SharedRequest
        let endpoint: Endpoint
        var callers: [Caller]
        var isCompleting = false
    }

    /// The result of leaving an entry, for a caller that was cancelled.
    enum Departure: Sendable {
        /// The caller was no longer waiting.
        case tooLate
        /// Other callers still wait.
        case left
        /// No other caller waits: the shared request must be cancelled, and the caller gets its result.
        case last
    }

    private struct State: Sendable {
        var entries: [Key: Entry] = [:]
        /// The callers that were the last to leave a shared request, and wait for its end, by its ID.
        var cancelled: [UInt64: Caller] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Locked(State())

    /// The completions of each entry, in the order of the requests.
    var completions: [Endpoint: [Completion]] {
        let entries = state.withLock { Array($0.entries.values) }
        return Dictionary(
            entries.sorted { $0.shared.id < $1.shared.id }.map { entry in
                (entry.endpoint, entry.callers.map { $0.caller.complete })
            },
            uniquingKeysWith: +
        )
    }

    /// Adds a caller to the entry of its endpoint, and creates the entry if there is none.
    ///
    /// - Parameters:
    ///   - key: The key of the entry.
    ///   - plugins: The plugins whose hooks get a shared request.
    ///   - makeCaller: Creates the caller of a shared request. It is called under the lock, so that the shared request cannot
    ///     complete between the search for the entry and the addition of the caller. It must only create the object.
    /// - Returns: The caller, and whether it is the first one, which starts the shared request.
    func join(
        _ key: Key,
        plugins: [any PluginType],
        _ makeCaller: (SharedRequest) -> Caller
    ) -> (caller: Caller, isFirst: Bool) {
        state.withLock { state in
            if let entry = state.entries[key], !entry.isCompleting {
                let caller = makeCaller(entry.shared)
                state.entries[key]?.callers.append(caller)
                return (caller, false)
            }
            state.nextID += 1
            let shared = SharedRequest(key, id: state.nextID, identity: .make(for: plugins))
            let caller = makeCaller(shared)
            state.entries[key] = Entry(shared: shared, endpoint: caller.endpoint, callers: [caller])
            return (caller, true)
        }
    }

    /// Removes a caller, unless its completion is already due.
    func leave(_ shared: SharedRequest, _ caller: Caller) -> Departure {
        state.withLock { state in
            guard let entry = state.entries[shared.key], entry.shared === shared, !entry.isCompleting,
                let index = entry.callers.firstIndex(where: { $0 === caller })
            else { return .tooLate }
            state.entries[shared.key]?.callers.remove(at: index)
            guard entry.callers.count == 1 else { return .left }
            state.entries[shared.key] = nil
            state.cancelled[shared.id] = caller
            return .last
        }
    }

    /// Returns the callers that currently wait for a shared request.
    func callers(of shared: SharedRequest) -> [Caller] {
        state.withLock { state in
            guard let entry = state.entries[shared.key], entry.shared === shared else { return [] }
            return entry.callers
        }
    }

    /// Closes an entry for further callers, and returns the callers that get the result.
    func beginCompleting(_ shared: SharedRequest) -> [Caller] {
        state.withLock { state in
            if let caller = state.cancelled.removeValue(forKey: shared.id) { return [caller] }
            guard let entry = state.entries[shared.key], entry.shared === shared, !entry.isCompleting else {
                return []
            }
            state.entries[shared.key]?.isCompleting = true
            return entry.callers
        }
    }

    /// Removes an entry, after the last of its completions has returned.
    func endCompleting(_ shared: SharedRequest) {
        state.withLock { state in
            if state.entries[shared.key]?.shared === shared { state.entries[shared.key] = nil }
        }
    }
}
