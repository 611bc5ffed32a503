import Foundation

// Not nested in the generic class: metadata that depends on a type of the application is slow.

/// One request to the session that several equal requests of callers share.
final class SharedRequest: Sendable {
    /// The key by which equal requests are found.
    ///
    /// A key is created before the table is locked, because its creation runs code of the application.
    struct Key: Hashable, Sendable {
        private let identity: Endpoint.Identity
        /// A unique value for each download, because its destination is a closure, which can't be compared.
        private let download: UUID?

        init(_ endpoint: Endpoint) {
            identity = endpoint.identity
            download = endpoint.task.isDownload ? UUID() : nil
        }
    }

    let key: Key
    let id: UInt64
    /// Cancels the request to the session.
    let token = CancellableToken()

    init(_ key: Key, id: UInt64) {
        self.key = key
        self.id = id
    }
}

/// The table of shared requests, with the callers that wait for each.
///
/// An entry lives from its first caller to the return of the last completion. A request that is made while an entry's
/// completions are being called, or after all callers have left, starts another shared request. Downloads
/// are never shared.
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
                (entry.endpoint, entry.callers.map { caller in { @Sendable in caller.deliver($0) } })
            },
            uniquingKeysWith: +
        )
    }

    /// Adds a caller to the entry of its endpoint, and creates the entry if there is none.
    ///
    /// - Parameters:
    ///   - key: The key of the entry.
    ///   - makeCaller: Creates the caller of a shared request. It is called under the lock.
    /// - Returns: The caller, and whether it is the first one, which starts the shared request.
    func join(_ key: Key, _ makeCaller: (SharedRequest) -> Caller) -> (caller: Caller, isFirst: Bool) {
        state.withLock { state in
            if let entry = state.entries[key], !entry.isCompleting {
                let caller = makeCaller(entry.shared)
                state.entries[key]?.callers.append(caller)
                return (caller, false)
            }
            state.nextID += 1
            let shared = SharedRequest(key, id: state.nextID)
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

// Equal requests share one request to the session.
extension MoyaProvider {
    /// Adds a caller to the shared request of equal requests, or starts a shared request.
    ///
    /// It uses the target and the queue of its first caller. Each caller gets progress and result on its own queue, and can
    /// be cancelled separately. When the last one is cancelled, the shared request is cancelled, and that caller's
    /// completion is called when it has ended, as for a request that is not shared.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint of the request.
    ///   - makeCaller: Creates the request of the caller, for the shared request.
    /// - Returns: The token that cancels the request of the caller.
    func share(
        _ endpoint: Endpoint,
        _ makeCaller: (SharedRequest) -> ProviderRequest<Target>
    ) -> CancellableToken {
        let (caller, isFirst) = inflight.join(SharedRequest.Key(endpoint), makeCaller)
        caller.token.attach { [self] in leave(caller) }
        if isFirst { start(caller) }
        return caller.token
    }

    private func leave(_ caller: ProviderRequest<Target>) {
        guard let shared = caller.shared else { return }
        switch inflight.leave(shared, caller) {
        case .tooLate:
            break
        case .left:
            caller.resultQueue.async { [self] in
                complete(caller, with: .failure(cancellationError.describing(caller.endpoint)), endsProgress: true)
            }
        case .last:
            shared.token.cancel()
        }
    }

    /// Reports progress to a caller, and to the callers that share its request.
    func report(_ progress: Progress, to caller: ProviderRequest<Target>) {
        guard let shared = caller.shared else { return caller.report(progress) }
        for caller in inflight.callers(of: shared) { caller.report(progress) }
    }

    /// Completes all callers of a shared request; called on the queue of the first caller.
    func completeCallers(
        of shared: SharedRequest,
        first: ProviderRequest<Target>,
        with result: Result<Response, MoyaError>,
        endsProgress: Bool
    ) {
        let callers = inflight.beginCompleting(shared)
        let open = Countdown(callers.count) { [inflight] in inflight.endCompleting(shared) }
        for caller in callers {
            let completeOne: @Sendable () -> Void = { [self] in
                complete(caller, with: result, endsProgress: endsProgress)
                open.countDown()
            }
            let isSameQueue = caller.queue === first.queue && !caller.hasProgressHandler
            if caller === first || isSameQueue { completeOne() } else { caller.resultQueue.async(execute: completeOne) }
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
