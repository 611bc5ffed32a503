import Foundation
import HTTPTypes

/// The running requests of a cache, for which equal ones wait.
///
/// Equal requests wait for the one that is sent, and then search the store for its response (RFC 9111, section 4).
final class CollapsedRequests: Sendable {
    /// The properties of a request that decide whether it can wait for another one.
    ///
    /// A request searches the store again after its wait, so other fields need not be compared.
    struct ID: Hashable, Sendable {
        let key: CacheKey
        let credentials: String?
        let accept: String?
        let acceptLanguage: String?

        init(_ request: CacheRequest) {
            key = request.key
            credentials = request.credentials
            accept = request.headers[.accept]
            acceptLanguage = request.headers[.acceptLanguage]
        }
    }

    /// The outcome of a fetch for the requests that wait for it.
    enum Outcome: Equatable, Sendable {
        /// The response was stored, or has confirmed a stored one.
        case stored
        /// The request has failed, or its response was not stored; the next response may be stored.
        case failedToStore
        /// The response cannot be stored, and the next one probably cannot, either.
        case cannotBeStored
        /// The request was cancelled before its response was complete. Equal requests may still succeed.
        case cancelled
    }

    /// The role of a request among equal ones.
    enum Role: Sendable {
        /// The request is sent. Equal ones wait for it, unless the last response to one of them could not be stored.
        case leader(Leader)
        /// The request waits for the one that is sent.
        case follower(Follower)
    }

    /// The progress of a fetch, which its leader reports and its followers read.
    fileprivate final class Progress: Sendable {
        struct State: Sendable {
            /// The last time at which the request was sent or a part of its response was received; `nil` while the request waits for
            /// a connection.
            var lastActivity: ContinuousClock.Instant?
            var hasResponse = false
        }

        private let locked = Locked(State())

        var state: State { locked.withLock { $0 } }

        func recordActivity(isResponse: Bool) {
            locked.withLock { state in
                state.lastActivity = .now
                if isResponse { state.hasResponse = true }
            }
        }
    }

    /// A sent request, which reports the progress and the outcome of its fetch to its followers.
    ///
    /// Deinitialization without a report reports a cancellation.
    final class Leader: Sendable {
        private let requests: CollapsedRequests
        private let id: ID
        fileprivate let progress = Progress()

        fileprivate init(_ requests: CollapsedRequests, _ id: ID) {
            self.requests = requests
            self.id = id
        }

        /// Records that the request is sent on a connection.
        ///
        /// The idle time of waiting requests counts from then on.
        func recordSend() { progress.recordActivity(isResponse: false) }

        /// Records that a part of the response was received.
        func recordResponse() { progress.recordActivity(isResponse: true) }

        /// Reports the outcome; followers get only the first report.
        func finish(_ outcome: Outcome) { requests.finish(id, leader: ObjectIdentifier(self), outcome) }

        deinit { requests.finish(id, leader: ObjectIdentifier(self), .cancelled) }
    }

    /// A request that waits for an equal one.
    final class Follower: Sendable {
        fileprivate let promise = Promise<Outcome>()
        private let progress: Progress
        private let joined = ContinuousClock.now

        fileprivate init(_ progress: Progress) { self.progress = progress }

        /// Returns the state of the timeouts.
        private func timeouts(idle: Duration, total: Duration, idleBefore: Duration) -> TimeoutState {
            var timeouts = TimeoutState(idleTimeout: idle, totalTimeout: total, idleBefore: idleBefore)
            // The sent request may be waiting for a connection.
            timeouts.pauseForConnectivity(at: .zero)
            let state = progress.state
            if state.hasResponse { timeouts.recordResponse() }
            if let last = state.lastActivity { timeouts.recordActivity(at: max(.zero, last - joined)) }
            return timeouts
        }

        /// Waits for the outcome of the fetch.
        ///
        /// The idle time counts while the sent request has a connection, and restarts with each part of its response.
        ///
        /// - Parameters:
        ///   - idle: The maximum idle time.
        ///   - total: The maximum time to wait.
        ///   - idleBefore: The idle time before the wait, which counts until there is a response.
        /// - Returns: The outcome of the fetch; `cancelled` if the waiting task is cancelled.
        /// - Throws: ``Expired`` if a timeout has expired.
        nonisolated(nonsending) func waitForOutcome(
            idle: Duration,
            total: Duration,
            idleBefore: Duration
        ) async throws(Expired) -> Outcome {
            let expired = Locked<TimeoutState.Verdict?>(nil)
            let timer = Task { [self] in
                while true {
                    let timeouts = timeouts(idle: idle, total: total, idleBefore: idleBefore)
                    let verdict = timeouts.verdict(at: .now - joined)
                    guard case .checkAgain(let time) = verdict else {
                        expired.withLock { $0 = verdict }
                        promise.fulfill(.failedToStore)
                        return
                    }
                    try await Task.sleep(for: time)
                }
            }
            defer { timer.cancel() }
            let outcome = await withTaskCancellationHandler {
                await promise.wait()
            } onCancel: {
                promise.fulfill(.cancelled)
            }
            if outcome == .failedToStore, let verdict = expired.withLock({ $0 }) { throw Expired(verdict: verdict) }
            return outcome
        }

        /// Returns the idle time of the request when its wait ends, including `idleBefore`.
        func idleTime(after idleBefore: Duration) -> Duration {
            let state = progress.state
            guard let last = state.lastActivity else { return idleBefore }
            return (state.hasResponse ? .zero : idleBefore) + (.now - max(last, joined))
        }
    }

    /// The error of a request whose timeout expires while it waits for an equal request.
    struct Expired: Error {
        let verdict: TimeoutState.Verdict
    }

    /// A leader that is being sent, and its followers.
    private struct Group {
        let leader: ObjectIdentifier
        let progress: Progress
        var followers: [Promise<Outcome>] = []

        init(_ leader: Leader) {
            self.leader = ObjectIdentifier(leader)
            progress = leader.progress
        }
    }

    private struct State {
        var groups: [ID: Group] = [:]
        /// The requests whose last response could not be stored, so that others do not wait for them.
        var uncollapsible: Set<ID> = []
    }

    private let state = Locked(State())

    /// The maximum number of entries in `uncollapsible`.
    private static let maximumUncollapsible = 1024

    /// Adds a request, and returns its role.
    func join(_ id: ID) -> Role {
        state.withLock { state in
            if let group = state.groups[id] {
                let follower = Follower(group.progress)
                state.groups[id]?.followers.append(follower.promise)
                return .follower(follower)
            }
            let leader = Leader(self, id)
            if !state.uncollapsible.contains(id) { state.groups[id] = Group(leader) }
            return .leader(leader)
        }
    }

    /// Adds a request that does not wait, and returns its leader; `nil` if an equal one leads already.
    func lead(_ id: ID) -> Leader? {
        state.withLock { state in
            guard state.groups[id] == nil else { return nil }
            let leader = Leader(self, id)
            state.groups[id] = Group(leader)
            return leader
        }
    }

    private func finish(_ id: ID, leader: ObjectIdentifier, _ outcome: Outcome) {
        let followers: [Promise<Outcome>] = state.withLock { state in
            switch outcome {
            case .stored:
                state.uncollapsible.remove(id)
            case .cannotBeStored:
                if state.uncollapsible.count >= Self.maximumUncollapsible { state.uncollapsible.removeAll() }
                state.uncollapsible.insert(id)
            case .failedToStore, .cancelled:
                break
            }
            guard let group = state.groups[id], group.leader == leader else { return [] }
            state.groups[id] = nil
            return group.followers
        }
        for follower in followers { follower.fulfill(outcome) }
    }
}
