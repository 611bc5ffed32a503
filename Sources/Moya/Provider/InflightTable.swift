import Foundation

/// Equal requests that share one exchange, and who waits for each.
///
/// An entry lives from its first caller to the return of the last completion. A request that comes while an entry's
/// completions are being called, or after all callers have left, starts an exchange of its own. Downloads share nothing.
final class InflightTable<Target: TargetType>: Sendable {
    typealias Caller = ProviderRequest<Target>

    /// What entries are told apart by: made before the table is locked, as that runs code of the application.
    struct Key: Hashable, Sendable {
        private let identity: Endpoint.Identity
        /// A download has a number of its own: where its file goes says a closure, which can't be compared.
        private let download: UUID?

        init(_ endpoint: Endpoint) {
            identity = endpoint.identity
            download = endpoint.task.isDownload ? UUID() : nil
        }
    }

    /// One exchange and those who wait for it.
    struct Entry: Sendable {
        let id: UInt64
        let endpoint: Endpoint
        /// Cancels the exchange.
        let token: CancellableToken
        var callers: [Caller]
        var isCompleting = false
    }

    /// What a caller finds.
    enum Place: Sendable {
        /// Nobody before: the caller starts the exchange.
        case first(id: UInt64, token: CancellableToken)
        /// An exchange is running already.
        case joined(id: UInt64)
    }

    /// What becomes of a caller that does not want to wait any more.
    enum Departure: Sendable {
        /// It was not waiting any more.
        case tooLate
        /// Others still wait.
        case left
        /// Nobody else waits: the exchange is to be cancelled, and its end is the caller's.
        case last(CancellableToken)
    }

    private struct State: Sendable {
        var entries: [Key: Entry] = [:]
        /// Who has cancelled an exchange, by leaving as the last, and waits for its end.
        var cancelled: [UInt64: Caller] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Locked(State())

    /// What each entry will call, in the order of the requests.
    var completions: [Endpoint: [Completion]] {
        let entries = state.withLock { Array($0.entries.values) }
        return Dictionary(
            entries.sorted { $0.id < $1.id }.map { ($0.endpoint, $0.callers.map(\.completion)) },
            uniquingKeysWith: +
        )
    }

    /// Adds a caller to the entry of an endpoint, which is made if there is none.
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

    /// Takes a caller out, unless its completion is due already.
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

    /// Those who wait for an exchange now.
    func callers(_ key: Key, id: UInt64) -> [Caller] {
        state.withLock { state in
            guard let entry = state.entries[key], entry.id == id else { return [] }
            return entry.callers
        }
    }

    /// Closes an entry for others and gives those who are to be told the result.
    func beginCompleting(_ key: Key, id: UInt64) -> [Caller] {
        state.withLock { state in
            if let caller = state.cancelled.removeValue(forKey: id) { return [caller] }
            guard let entry = state.entries[key], entry.id == id, !entry.isCompleting else { return [] }
            state.entries[key]?.isCompleting = true
            return entry.callers
        }
    }

    /// Removes an entry, when the last of its completions has returned.
    func endCompleting(_ key: Key, id: UInt64) {
        state.withLock { state in
            if state.entries[key]?.id == id { state.entries[key] = nil }
        }
    }
}

// Equal requests share one exchange.
extension MoyaProvider {
    /// Lets a caller wait for the exchange of an equal request, or starts it.
    ///
    /// The exchange runs as its first caller asked: with that one's target, on that one's queue. Each caller hears of
    /// progress and result on a queue of its own, and can leave by itself. When the last one leaves, the exchange is
    /// cancelled, and that caller's completion follows the exchange's end, as it does where nothing is shared.
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

    /// Runs where the first caller wants to hear of the result.
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

/// Calls a function when something has happened a number of times.
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
