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
        /// The properties of a request in the background that is a HEAD, or has a range or conditions; `nil` if equal requests may wait.
        let unshared: [String]?

        private static let distinguishingFields: [HTTPField.Name] = [
            .range, .ifRange, .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince,
        ]

        init(_ request: CacheRequest) {
            key = request.key
            credentials = request.credentials
            accept = request.headers[.accept]
            acceptLanguage = request.headers[.acceptLanguage]
            unshared =
                request.isShareable
                ? nil : [request.method.rawValue] + Self.distinguishingFields.map { request.headers[$0] ?? "" }
        }
    }

    /// The outcome of a fetch for the requests that wait for it.
    enum Outcome: Equatable, Sendable {
        /// The response was stored, or has confirmed a stored one.
        case stored
        /// The response was stored, but must be validated before each use, and the next one probably must, too.
        case needsValidation
        /// The request has failed, or its response was not stored; the next response may be stored.
        case notStored
        /// The response cannot be stored, and the next one probably cannot, either.
        case cannotBeStored
        /// The request was cancelled before its response was complete. Equal requests may still succeed.
        case cancelled
    }

    /// The outcome of a fetch, or the error of a wait that has ended before it.
    typealias OutcomePromise = Promise<Result<Outcome, URLError>>

    /// The role of a request among equal ones.
    enum Role: Sendable {
        /// The request is sent. Equal ones wait for it (it is their leader), unless they could not use the last response to one of them.
        case sender(FetchReporter)
        /// The request waits for its leader.
        case follower(Follower)
    }

    /// A leader that is being sent, and its followers.
    private struct Group {
        let leader: ObjectIdentifier
        let progress: FetchProgress
        var followers: [OutcomePromise] = []

        init(_ leader: FetchReporter) {
            self.leader = ObjectIdentifier(leader)
            progress = leader.progress
        }
    }

    private struct State {
        var groups: [ID: Group] = [:]
        /// The requests whose last response equal ones could not use, so that others do not wait for them.
        var sentAlone: Set<ID> = []
    }

    private let state = Locked(State())
    /// The clock of the timeouts of followers.
    let clock: any Clock<Duration>
    /// Returns the time on the clock since the creation of this object.
    let elapsed: @Sendable () -> Duration

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
            if !state.sentAlone.contains(id) { state.groups[id] = Group(reporter) }
            return .sender(reporter)
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
    func end(_ id: ID, reporter: ObjectIdentifier, _ outcome: Outcome) {
        let followers: [OutcomePromise] = state.withLock { state in
            switch outcome {
            case .stored:
                state.sentAlone.remove(id)
            case .needsValidation, .cannotBeStored:
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
