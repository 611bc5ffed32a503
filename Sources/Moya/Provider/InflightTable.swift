import Foundation

/// The table of exchanges that equal requests share, with the callers that wait for each.
///
/// An entry lives from its first caller to the return of the last completion. A request that is made while an entry's
/// completions are being called, or after all callers have left, starts an exchange of its own. Downloads are never
/// shared.
final class InflightTable<Target: TargetType>: Sendable {
    typealias Caller = ProviderRequest<Target>

    /// The key of an entry.
    ///
    /// It is created before the table is locked, since its creation runs code of the application.
    struct Key: Hashable, Sendable {
        private let identity: Endpoint.Identity
        /// A unique value for each download: its destination is a closure, which can't be compared.
        private let download: UUID?

        init(_ endpoint: Endpoint) {
            identity = endpoint.identity
            download = endpoint.task.isDownload ? UUID() : nil
        }
    }

    /// An exchange and the callers that wait for it.
    struct Entry: Sendable {
        let id: UInt64
        let endpoint: Endpoint
        /// Cancels the exchange.
        let token: CancellableToken
        var callers: [Caller]
        var isCompleting = false
    }

    /// The result of joining an entry.
    enum Place: Sendable {
        /// The caller is the first one and starts the exchange.
        case first(id: UInt64, token: CancellableToken)
        /// The caller waits for an exchange that is already running.
        case joined(id: UInt64)
    }

    /// The result of leaving an entry, for a caller that was cancelled.
    enum Departure: Sendable {
        /// The caller was no longer waiting.
        case tooLate
        /// Other callers still wait.
        case left
        /// No other caller waits: the exchange must be cancelled, and the caller gets its result.
        case last(CancellableToken)
    }

    private struct State: Sendable {
        var entries: [Key: Entry] = [:]
        /// The callers that have cancelled an exchange by leaving last, and wait for its end, by the entry's ID.
        var cancelled: [UInt64: Caller] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Locked(State())

    /// The completions of each entry, in the order of the requests.
    var completions: [Endpoint: [Completion]] {
        let entries = state.withLock { Array($0.entries.values) }
        return Dictionary(
            entries.sorted { $0.id < $1.id }.map { ($0.endpoint, $0.callers.map(\.completion)) },
            uniquingKeysWith: +
        )
    }

    /// Adds a caller to the entry of an endpoint, and creates the entry if there is none.
    func join(_ key: Key, _ endpoint: Endpoint, _ caller: Caller) -> Place {
        state.withLock { state in
            if let entry = state.entries[key], !entry.isCompleting {
                state.entries[key]?.callers.append(caller)
                return .joined(id: entry.id)
            }
            state.nextID += 1
            let entry = Entry(id: state.nextID, endpoint: endpoint, token: CancellableToken(), callers: [caller])
            state.entries[key] = entry
            return .first(id: entry.id, token: entry.token)
        }
    }

    /// Removes a caller, unless its completion is already due.
    func leave(_ key: Key, id: UInt64, _ caller: Caller) -> Departure {
        state.withLock { state in
            guard let entry = state.entries[key], entry.id == id, !entry.isCompleting,
                let index = entry.callers.firstIndex(where: { $0 === caller })
            else { return .tooLate }
            state.entries[key]?.callers.remove(at: index)
            guard entry.callers.count == 1 else { return .left }
            state.entries[key] = nil
            state.cancelled[id] = caller
            return .last(entry.token)
        }
    }

    /// Returns the callers that currently wait for an exchange.
    func callers(_ key: Key, id: UInt64) -> [Caller] {
        state.withLock { state in
            guard let entry = state.entries[key], entry.id == id else { return [] }
            return entry.callers
        }
    }

    /// Closes an entry for further callers, and returns those that get the result.
    func beginCompleting(_ key: Key, id: UInt64) -> [Caller] {
        state.withLock { state in
            if let caller = state.cancelled.removeValue(forKey: id) { return [caller] }
            guard let entry = state.entries[key], entry.id == id, !entry.isCompleting else { return [] }
            state.entries[key]?.isCompleting = true
            return entry.callers
        }
    }

    /// Removes an entry, after the last of its completions has returned.
    func endCompleting(_ key: Key, id: UInt64) {
        state.withLock { state in
            if state.entries[key]?.id == id { state.entries[key] = nil }
        }
    }
}

// Equal requests share one exchange.
extension MoyaProvider {
    /// Adds a caller to the exchange of an equal request, or starts the exchange.
    ///
    /// The exchange uses the target and the queue of its first caller. Each caller gets progress and result on its own
    /// queue, and can be cancelled separately. When the last one is cancelled, the exchange is cancelled, and that
    /// caller's completion is called when the exchange has ended, as for a request that is not shared.
    func share(_ endpoint: Endpoint, _ stubBehavior: StubBehavior, with caller: ProviderRequest<Target>) {
        let key = InflightTable<Target>.Key(endpoint)
        switch inflight.join(key, endpoint, caller) {
        case .joined(let id):
            caller.token.attach { [self] in leave(key, id: id, caller) }
        case .first(let id, let token):
            caller.token.attach { [self] in leave(key, id: id, caller) }
            start(endpoint, stubBehavior, for: caller, token: token) { [self] outcome in
                complete(key, id: id, first: caller, with: outcome)
            } progress: { [self] progress in
                for caller in inflight.callers(key, id: id) { caller.report(progress) }
            }
        }
    }

    private func leave(_ key: InflightTable<Target>.Key, id: UInt64, _ caller: ProviderRequest<Target>) {
        switch inflight.leave(key, id: id, caller) {
        case .tooLate:
            break
        case .left:
            caller.resultQueue.async { [self] in complete(caller, with: .ended(.failure(cancelled))) }
        case .last(let exchange):
            exchange.cancel()
        }
    }

    /// Completes all callers of an exchange; called on the queue of the first caller.
    private func complete(
        _ key: InflightTable<Target>.Key,
        id: UInt64,
        first: ProviderRequest<Target>,
        with outcome: Outcome
    ) {
        let callers = inflight.beginCompleting(key, id: id)
        let open = Countdown(callers.count) { [inflight] in inflight.endCompleting(key, id: id) }
        for caller in callers {
            let complete: @Sendable () -> Void = { [self] in
                self.complete(caller, with: outcome)
                open.countDown()
            }
            let isSameQueue = caller.queue === first.queue && !caller.wantsProgress
            if caller === first || isSameQueue { complete() } else { caller.resultQueue.async(execute: complete) }
        }
    }
}

/// A counter that calls a function when it reaches zero.
private final class Countdown: Sendable {
    private let left: Locked<Int>
    private let atZero: @Sendable () -> Void

    init(_ count: Int, atZero: @escaping @Sendable () -> Void) {
        left = Locked(count)
        self.atZero = atZero
    }

    func countDown() {
        let isZero = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isZero { atZero() }
    }
}
