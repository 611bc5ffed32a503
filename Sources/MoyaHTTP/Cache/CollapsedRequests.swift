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
        /// Whether equal requests can wait; `false` for a HEAD, a range or conditions in the background.
        let isShareable: Bool

        init(_ request: CacheRequest) {
            key = request.key
            credentials = request.credentials
            accept = request.headers[.accept]
            acceptLanguage = request.headers[.acceptLanguage]
            isShareable = request.isShareable
        }
    }

    /// The outcome of a fetch for the requests that wait for it.
    enum Outcome: Equatable, Sendable {
        /// The response was stored, or has confirmed a stored one.
        case stored
        /// The request has failed, or its response was not stored; the next response may be stored.
        case notStored
        /// The response cannot be stored, and the next one probably cannot, either.
        case cannotBeStored
        /// The request was cancelled before its response was complete. Equal requests may still succeed.
        case cancelled
    }

    /// The outcome of a fetch, or the error of a wait that has ended before it.
    fileprivate typealias OutcomePromise = Promise<Result<Outcome, URLError>>

    /// The role of a request among equal ones.
    enum Role: Sendable {
        /// The request is sent, and equal ones wait for it.
        case leader(FetchReporter)
        /// The request is sent, and equal ones are sent, too: the last response to one of them could not be stored.
        case alone(FetchReporter)
        /// The request waits for its leader.
        case follower(Follower)
    }

    /// The progress of a fetch, which its reporter records and its followers read.
    fileprivate final class Progress: Sendable {
        struct State: Sendable {
            /// The last time at which the request was sent or a part of its response was received; `nil` while the request waits
            /// for a connection.
            var lastActivity: Duration?
            var hasResponse = false
        }

        private let locked = Locked(State())

        var state: State { locked.withLock { $0 } }

        func recordActivity(at time: Duration, isResponse: Bool) {
            locked.withLock { state in
                state.lastActivity = time
                if isResponse { state.hasResponse = true }
            }
        }
    }

    /// Reports the progress and the outcome of a fetch to its followers, if equal requests may wait for it.
    ///
    /// The outcome decides whether later requests wait for an equal one.
    final class FetchReporter: Sendable {
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
        func recordSend() { progress.recordActivity(at: requests.elapsed(), isResponse: false) }

        /// Records that a part of the response was received.
        func recordResponse() { progress.recordActivity(at: requests.elapsed(), isResponse: true) }

        /// Reports the outcome; followers get only the first report.
        func report(_ outcome: Outcome) { requests.end(id, reporter: ObjectIdentifier(self), outcome) }
    }

    /// A request that waits for an equal one.
    final class Follower: Sendable {
        fileprivate let promise = OutcomePromise()
        private let requests: CollapsedRequests
        private let progress: Progress
        private let joined: Duration

        fileprivate init(_ requests: CollapsedRequests, _ progress: Progress, joined: Duration) {
            self.requests = requests
            self.progress = progress
            self.joined = joined
        }

        /// Waits for the outcome of the fetch.
        ///
        /// The idle time counts while the sent request has a connection, and restarts with each part of its response.
        ///
        /// - Parameters:
        ///   - timeouts: The timeouts of the request at the beginning of its wait.
        ///   - url: The URL of the request.
        /// - Returns: The outcome of the fetch.
        /// - Throws: `URLError.timedOut`, or `URLError.cancelled` if the waiting task is cancelled.
        nonisolated(nonsending) func waitForOutcome(
            within timeouts: TimeoutState,
            url: URL
        ) async throws(URLError) -> Outcome {
            let timer = Task { [self] in
                while true {
                    let verdict = applyingProgress(to: timeouts).verdict(at: requests.elapsed() - joined)
                    switch verdict {
                    case .checkAgain(let time): try await requests.clock.sleep(for: time)
                    case .expired(let kind):
                        return promise.fulfill(.failure(.timedOut(timeouts.error(of: kind), url: url)))
                    }
                }
            }
            defer { timer.cancel() }
            return try await promise.wait(onCancel: .failure(.cancelled(url: url))).get()
        }

        /// Returns the timeouts with the progress of the fetch.
        private func applyingProgress(to timeouts: TimeoutState) -> TimeoutState {
            var timeouts = timeouts
            // The sent request may be waiting for a connection.
            timeouts.pauseForConnectivity(at: .zero)
            let state = progress.state
            if state.hasResponse { timeouts.recordResponse() }
            if let last = state.lastActivity { timeouts.recordActivity(at: max(.zero, last - joined)) }
            return timeouts
        }

        /// Returns the idle time of the request when its wait ends, including `idleBefore`.
        func idleTime(after idleBefore: Duration) -> Duration {
            let state = progress.state
            guard let last = state.lastActivity else { return idleBefore }
            return (state.hasResponse ? .zero : idleBefore) + (requests.elapsed() - max(last, joined))
        }
    }

    /// A leader that is being sent, and its followers.
    private struct Group {
        let leader: ObjectIdentifier
        let progress: Progress
        var followers: [OutcomePromise] = []

        init(_ leader: FetchReporter) {
            self.leader = ObjectIdentifier(leader)
            progress = leader.progress
        }
    }

    private struct State {
        var groups: [ID: Group] = [:]
        /// The requests whose last response could not be stored, so that others do not wait for them.
        var sentAlone: Set<ID> = []
    }

    private let state = Locked(State())
    /// The clock of the timeouts of followers.
    private let clock: any Clock<Duration>
    /// Returns the time on the clock since the creation of this object.
    private let elapsed: @Sendable () -> Duration

    /// The maximum number of entries in `sentAlone`.
    private static let maximumSentAlone = 1024

    init<C: Clock>(clock: C) where C.Duration == Duration {
        self.clock = clock
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// Adds a request, and returns its role.
    func join(_ id: ID) -> Role {
        let joined = elapsed()
        return state.withLock { state in
            if let group = state.groups[id] {
                let follower = Follower(self, group.progress, joined: joined)
                state.groups[id]?.followers.append(follower.promise)
                return .follower(follower)
            }
            let reporter = FetchReporter(self, id)
            guard !state.sentAlone.contains(id) else { return .alone(reporter) }
            state.groups[id] = Group(reporter)
            return .leader(reporter)
        }
    }

    /// Adds a request as a leader; returns `nil` if there is a leader already.
    func joinAsLeader(_ id: ID) -> FetchReporter? {
        state.withLock { state in
            guard state.groups[id] == nil else { return nil }
            let reporter = FetchReporter(self, id)
            state.groups[id] = Group(reporter)
            return reporter
        }
    }

    /// Ends a fetch, and tells its followers the outcome.
    private func end(_ id: ID, reporter: ObjectIdentifier, _ outcome: Outcome) {
        let followers: [OutcomePromise] = state.withLock { state in
            switch outcome {
            case .stored:
                state.sentAlone.remove(id)
            case .cannotBeStored:
                if state.sentAlone.count >= Self.maximumSentAlone { state.sentAlone.removeAll() }
                state.sentAlone.insert(id)
            case .notStored, .cancelled:
                break
            }
            guard let group = state.groups[id], group.leader == reporter else { return [] }
            state.groups[id] = nil
            return group.followers
        }
        for follower in followers { follower.fulfill(.success(outcome)) }
    }
}
