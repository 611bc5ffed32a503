import Foundation
import HTTPTypes

/// The requests that a cache waits for, so that equal ones are sent once (RFC 9111, section 4).
final class CacheFetches: Sendable {
    /// What makes two requests equal enough to wait for each other.
    ///
    /// A response is looked up again for each of them, so that other fields need not be compared.
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

    /// How a fetch has ended.
    enum Outcome: Equatable, Sendable {
        /// The response is in the store.
        case stored
        /// The request has failed.
        case failed
        /// The response cannot be stored, and so not be shared.
        case notStored
        /// The request was cancelled before its response was complete, which says nothing about the others.
        case cancelled
    }

    /// What a request does next.
    enum Turn: Sendable {
        /// It is sent, and others wait for it.
        case leads(Lead)
        /// It waits for the one that is sent.
        case waits(Wait)
        /// It is sent alone, as responses to such requests could not be stored.
        case isAlone
    }

    /// The progress of a fetch, which its leader reports and its followers read.
    fileprivate final class Progress: Sendable {
        struct State: Sendable {
            /// When the request was last sent, or a part of its response received; `nil` while it waits for a connection.
            var lastActivity: ContinuousClock.Instant?
            var hasResponse = false
        }

        private let locked = Locked(State())

        var state: State { locked.withLock { $0 } }

        func note(isResponse: Bool) {
            locked.withLock { state in
                state.lastActivity = .now
                if isResponse { state.hasResponse = true }
            }
        }
    }

    /// The duty to report how a fetch has ended.
    ///
    /// One that is released reports a cancellation.
    final class Lead: Sendable {
        private let fetches: CacheFetches
        private let id: ID
        fileprivate let progress = Progress()

        fileprivate init(_ fetches: CacheFetches, _ id: ID) {
            self.fetches = fetches
            self.id = id
        }

        /// Records that the request is sent on a connection, from which the idle time of the others counts.
        func sent() { progress.note(isResponse: false) }

        /// Records that a part of the response was received.
        func received() { progress.note(isResponse: true) }

        /// Reports the end; only the first report counts.
        func ended(_ outcome: Outcome) { fetches.ended(ObjectIdentifier(self), id, outcome) }

        deinit { fetches.ended(ObjectIdentifier(self), id, .cancelled) }
    }

    /// The wait of a request for an equal one.
    final class Wait: Sendable {
        fileprivate let promise = Promise<Outcome>()
        private let progress: Progress
        private let joined = ContinuousClock.now

        fileprivate init(_ progress: Progress) { self.progress = progress }

        /// Returns the state of the time-outs.
        private func timeouts(idle: Duration, total: Duration, idleBefore: Duration) -> TimeoutState {
            var timeouts = TimeoutState(idleTimeout: idle, totalTimeout: total, idleBefore: idleBefore)
            // The request that is sent may wait for a connection.
            timeouts.pauseForConnectivity(at: .zero)
            let state = progress.state
            if state.hasResponse { timeouts.recordResponse() }
            if let last = state.lastActivity { timeouts.recordActivity(at: max(.zero, last - joined)) }
            return timeouts
        }

        /// Waits for the end of the fetch.
        ///
        /// The idle time counts while the other request has a connection, and begins anew with each part of its response.
        ///
        /// - Parameters:
        ///   - idle: The maximum idle time.
        ///   - total: The maximum time to wait.
        ///   - idleBefore: The idle time before the wait, which counts until there is a response.
        /// - Returns: How the fetch has ended: `cancelled` if the waiting task is.
        /// - Throws: The reason if the time is over.
        nonisolated(nonsending) func outcome(
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
                        promise.fulfill(.failed)
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
            if outcome == .failed, let verdict = expired.withLock({ $0 }) { throw Expired(verdict: verdict) }
            return outcome
        }

        /// Returns the idle time at the end of the wait, which counts for the request itself, after `idleBefore`.
        func idleTime(after idleBefore: Duration) -> Duration {
            let state = progress.state
            guard let last = state.lastActivity else { return idleBefore }
            return (state.hasResponse ? .zero : idleBefore) + (.now - max(last, joined))
        }
    }

    /// The error of a request whose time is over while it waits for an equal one.
    struct Expired: Error {
        let verdict: TimeoutState.Verdict
    }

    private struct Fetch {
        let lead: ObjectIdentifier
        let progress: Progress
        var waiters: [Promise<Outcome>] = []
    }

    private struct State {
        var fetches: [ID: Fetch] = [:]
        /// Requests whose last response could not be stored: to wait for the next one would be in vain.
        var unshared: Set<ID> = []
    }

    private let state = Locked(State())

    /// The maximum number of requests that are remembered as not shared.
    private static let maximumUnshared = 1024

    /// Returns the turn of a request.
    func join(_ id: ID) -> Turn {
        state.withLock { state in
            if let fetch = state.fetches[id] {
                let wait = Wait(fetch.progress)
                state.fetches[id]?.waiters.append(wait.promise)
                return .waits(wait)
            }
            guard !state.unshared.contains(id) else { return .isAlone }
            return .leads(newLead(id, &state))
        }
    }

    /// Returns the duty to fetch; `nil` if there is a fetch already.
    func begin(_ id: ID) -> Lead? {
        state.withLock { state in state.fetches[id] == nil ? newLead(id, &state) : nil }
    }

    /// Notes that a response to such a request can be stored.
    func mayBeShared(_ id: ID) { _ = state.withLock { $0.unshared.remove(id) } }

    private func newLead(_ id: ID, _ state: inout State) -> Lead {
        let lead = Lead(self, id)
        state.fetches[id] = Fetch(lead: ObjectIdentifier(lead), progress: lead.progress)
        return lead
    }

    private func ended(_ lead: ObjectIdentifier, _ id: ID, _ outcome: Outcome) {
        let waiters: [Promise<Outcome>] = state.withLock { state in
            guard let fetch = state.fetches[id], fetch.lead == lead else { return [] }
            state.fetches[id] = nil
            if outcome == .notStored {
                if state.unshared.count >= Self.maximumUnshared { state.unshared.removeAll() }
                state.unshared.insert(id)
            }
            return fetch.waiters
        }
        for waiter in waiters { waiter.fulfill(outcome) }
    }
}
